// What reading and applying journals answers: frozen data.

import { defineRecord } from '../boundary/records.js';

/** How far a run of records came. What was applied stays applied. */
export class BatchReport {
  /** @param {number} applied @param {bigint} revision @param {number} offset @param {BatchStop | null} stopped */
  constructor(applied, revision, offset, stopped) {
    this.applied = applied;
    this.revision = revision;
    this.offset = offset;
    this.stopped = stopped;
    Object.freeze(this);
  }
}
defineRecord(BatchReport, []);

/** The record at which a run of records stopped, and why. */
export class BatchStop {
  /** @param {number} index @param {number} offset @param {Error} error */
  constructor(index, offset, error) {
    this.index = index;
    this.offset = offset;
    this.error = error;
    Object.freeze(this);
  }
}
defineRecord(BatchStop, []);

/** What the first frame of a journal says. */
export class JournalHeader {
  /** @param {string} contract @param {object} limits @param {bigint} base @param {number} size */
  constructor(contract, limits, base, size) {
    this.contract = contract;
    this.limits = limits;
    this.base = base;
    this.size = size;
    Object.freeze(this);
  }
}
defineRecord(JournalHeader, []);

/** One record: where it stands, the revision that it made, and its command. */
export class JournalRecord {
  /** @param {number} index @param {number} offset @param {number} size @param {bigint} revision @param {object} command */
  constructor(index, offset, size, revision, command) {
    this.index = index;
    this.offset = offset;
    this.size = size;
    this.revision = revision;
    this.command = command;
    Object.freeze(this);
  }
}
defineRecord(JournalRecord, []);

/** What a sink is given. */
export class JournalEntry {
  /** @param {Uint8Array} bytes @param {bigint} revision */
  constructor(bytes, revision) {
    this.bytes = bytes;
    this.revision = revision;
    Object.freeze(this);
  }
}
defineRecord(JournalEntry, ['bytes']);
