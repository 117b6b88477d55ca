// The storages that need a disk, each by its name in a folder.

import path from 'node:path';
import { fileStorage } from 'leasegate/storage/file';
import { sqliteStorage } from 'leasegate/storage/sqlite';

/** @param {'file' | 'sqlite'} kind @param {string} folder @param {object} [options] */
export function storageIn(kind, folder, options) {
  return kind === 'file'
    ? fileStorage({ directory: path.join(folder, 'pool'), ...options })
    : sqliteStorage({ file: path.join(folder, 'pool.sqlite'), ...options });
}
