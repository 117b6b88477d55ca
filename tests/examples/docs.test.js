// What the texts say is so: their code runs and prints what they show, and the references name everything that is there.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as leasegate from 'leasegate';
import { CLUSTER_ERRORS } from '../../js/cluster/errors.js';
import * as bridge from '../../src/schema/bridge.mjs';
import * as coordination from '../../src/schema/coordination.mjs';
import * as journal from '../../src/schema/journal.mjs';
import * as results from '../../src/schema/results.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8');
const schemas = [coordination, results];

/** @param {string} name */
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** The fenced blocks of a language. @param {string} text @param {string} language */
function blocks(text, language) {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map((match) => match[1]);
}

/** The rows of all tables, as cells. @param {string} text */
function rows(text) {
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  return lines.map((line) =>
    line
      .slice(2, -1)
      .split(' |')
      .map((cell) => cell.trim()),
  );
}

/** @param {string} cell */
const names = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]);

describe('code in the texts', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'leasegate-docs-'));
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules', 'leasegate'), 'junction');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** @param {string} name @param {string} code */
  function run(name, code) {
    const file = path.join(folder, name);
    writeFileSync(file, code);
    return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
  }

  for (const [kind, extension] of [
    ['esm', 'mjs'],
    ['cjs', 'cjs'],
  ]) {
    it(`the README's quick start (${kind}) prints what the README shows`, () => {
      const after = read('README.md').split(`<!-- quick start: ${kind} -->\n`)[1];
      const [code] = blocks(after, 'js');
      const [shown] = blocks(after, 'text');
      assert.ok(
        code.split('\n').filter((line) => line.trim() !== '').length <= 20,
        'it has at most 20 lines',
      );
      assert.equal(run(`quick-start.${extension}`, code), shown);
    });
  }

  it('the guide to journals is one program, and the command line says of its file what the guide shows', () => {
    const guide = read('docs/journal.md');
    const parts = [...guide.matchAll(/^```(js|sh|text)\n(.*?)^```$/gms)].map(([, kind, text]) => ({
      kind,
      text,
    }));
    const shownAfter = (/** @type {string} */ kind) =>
      parts.filter((part, i) => part.kind === 'text' && parts[i - 1].kind === kind).map(({ text }) => text);
    assert.equal(run('journal.mjs', blocks(guide, 'js').join('\n')), shownAfter('js').join(''));
    const program = path.join(root, 'js/cli/leasegate.js');
    const readme = read('README.md').split('### The journal\n')[1];
    for (const [command, shown] of [
      ...blocks(guide, 'sh').map((line, i) => [line, shownAfter('sh')[i]]),
      [blocks(readme, 'sh')[0], blocks(readme, 'text')[0]],
    ]) {
      const [npx, name, ...args] = command.trim().split(' ');
      assert.deepEqual([npx, name], ['npx', 'leasegate']);
      assert.equal(
        execFileSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' }),
        shown,
      );
    }
  });

  it('the guide is one program that prints what the guide shows', () => {
    const guide = read('docs/guide-leases.md');
    assert.equal(run('guide.mjs', blocks(guide, 'js').join('\n')), blocks(guide, 'text').join(''));
  });
});

describe('docs/api.md', () => {
  const api = read('docs/api.md');

  it('names every constant with its value', () => {
    const written = new Map(rows(api).map(([name, value]) => [names(name)[0], value]));
    for (const [name, value] of [...schemas, bridge, journal].flatMap((schema) => schema.constants)) {
      assert.equal(written.get(String(name)), value.toLocaleString('en-US'), String(name));
    }
  });

  it('names every limit with its default and its ceiling', () => {
    const written = new Map(rows(api).map((cells) => [cells[0], cells]));
    const limits = [...coordination.limits.DistributedLimits, ...results.limits.ResultLimits];
    for (const [name, fallback, ceiling] of limits) {
      const [, value, maximum] = written.get(`\`${camel(String(name))}\``) ?? [];
      assert.deepEqual([value, maximum], [fallback.toLocaleString('en-US'), `\`${ceiling}\``], String(name));
    }
  });

  it('names every export, every command and every read', async () => {
    const instance = await leasegate.createLeasegate();
    const pages = readdirSync(path.join(root, 'docs')).filter((file) => file.endsWith('.md'));
    const all = pages.map((page) => read(`docs/${page}`)).join('\n');
    for (const name of Object.keys(instance)) assert.match(all, new RegExp(`\\b${name}\\b`));
    for (const name of /** @type {const} */ (['WorkerPool', 'TaskQueue', 'ResultAggregator'])) {
      const handle = new instance[name]();
      const section = api.split(`\n## ${name}\n`)[1].split('\n## ')[0];
      const members = Object.getOwnPropertyNames(Object.getPrototypeOf(Object.getPrototypeOf(handle)));
      for (const member of members) {
        if (member === 'constructor' || member === 'dispose') continue;
        assert.match(section, new RegExp(`\`${member}[(\`]`), `${name}.${member}`);
      }
    }
  });

  it('names every field of every record, and every kind of outcome', () => {
    for (const schema of schemas) {
      const shapes = { ...schema.inputs, ...schema.tokens, ...schema.records };
      for (const [shape, fields] of Object.entries(shapes)) {
        assert.ok(api.includes(shape), shape);
        for (const [field, type] of fields)
          assert.ok(
            type.startsWith('place:') || api.includes(`\`${camel(String(field))}\``),
            `${shape}.${field}`,
          );
      }
      for (const [union, { kinds }] of Object.entries(schema.unions)) {
        assert.ok(api.includes(union), union);
        for (const kind of Object.keys(kinds)) assert.ok(api.includes(`\`${kind}\``), kind);
      }
    }
  });
});

describe('docs/errors.md', () => {
  const text = read('docs/errors.md');

  it('names every code with its fields, and no other code', () => {
    const written = new Map(rows(text).map(([code, fields]) => [names(code)[0], names(fields)]));
    written.delete(/** @type {any} */ (undefined)); // heads and rules of tables
    /** @type {Map<string, string[]>} */
    const expected = new Map([
      ['disposed', []],
      ['instance_unusable', []],
      ['journal_sink_failed', ['revision']],
      ['storage_failed', ['operation', 'systemCode']],
      ['storage_locked', []],
      ['storage_damaged', ['reason', 'part', 'offset']],
      ['durable_backlog_full', ['limit', 'unit']],
    ]);
    for (const error of [...schemas, journal].flatMap((schema) => /** @type {any[]} */ (schema.errors))) {
      expected.set(error.as ?? error.code, Object.keys(error.fields).map(camel));
    }
    for (const [code, fields] of Object.entries(CLUSTER_ERRORS)) expected.set(code, fields);
    assert.deepEqual(new Map([...written].sort()), new Map([...expected].sort()));
  });

  it('names every reason, counter and limit', () => {
    const { LimitName, LimitRelationship, CounterName, InvalidTask, InvalidWorker, Invariant } =
      coordination.enums;
    for (const name of [
      LimitName,
      LimitRelationship,
      CounterName,
      InvalidTask,
      InvalidWorker,
      Invariant,
    ].flat()) {
      assert.ok(text.includes(`\`${name}\``), name);
    }
  });
});

/** A text without its code. @param {string} file */
const prose = (file) => read(file).replace(/^```.*?^```$/gms, '');

describe('links', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...readdirSync(path.join(root, 'docs')).map((f) => `docs/${f}`),
  ];
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    it(`of ${file} lead somewhere`, () => {
      for (const [, target] of prose(file).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [to, anchor] = target.split('#');
        const other = to === '' ? file : path.join(path.dirname(file), to);
        assert.ok(existsSync(path.join(root, other)), target);
        if (anchor === undefined) continue;
        const anchors = [...prose(other).matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
          title
            .toLowerCase()
            .replace(/[^\w\- ]/g, '')
            .replaceAll(' ', '-'),
        );
        assert.ok(anchors.includes(anchor), target);
      }
    });
  }
});
