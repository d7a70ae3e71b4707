import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nodeInLine } from '../../src/capabilities/action-definitions/nodes/import.ts';
import {
  type FileRecord,
  recordsInCsv,
  recordsInNdjson,
} from '../../src/capabilities/migration/import/records.ts';
import { userInLine } from '../../src/capabilities/migration/import/user-line.ts';
import { oneLine, textIn } from '../../src/core/settings/given.ts';
import { SettingsFaulty } from '../../src/core/settings/read.ts';
import { variableOf } from '../../src/core/settings/table.ts';
import { CommandRefused } from '../../src/faces/cli/failure.ts';
import { readSettings, SETTINGS } from '../../src/main/settings.ts';
import type { Fuzzer } from './fuzzer.ts';
import { bytes, inPieces, spoilt, text } from './inputs.ts';

/** Runs `work`, which may throw errors of this class only: any other error is a fault of the program. */
function mayThrow(kind: new (...given: never[]) => Error, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    assert.equal((error as Error).constructor, kind, String(error));
    assert.notEqual((error as Error).message, '');
  }
}

const VALUES = [
  ...[
    'PT1H',
    'P30D',
    'off',
    '8080',
    'true',
    '127.0.0.1',
    '::1',
    '10.0.0.0/8',
    '/alfresco/s',
    'https://x.org',
    'X-Uri',
  ],
  ...['postgres://a:b@x/y', 'redis://x:1', 'rediss://a:b@x', 'warn', '0', '-1', '1e3', 'a,b'],
];
const value = spoilt(fc.constantFrom(...VALUES));

const parsers = fc.property(fc.constantFrom(...SETTINGS.keys), value, (key, given) => {
  mayThrow(Error, () => SETTINGS.setting(key).parse(given));
});

const settings = fc.property(
  fc.dictionary(fc.constantFrom(...SETTINGS.keys.map(variableOf)), value),
  (env) => {
    // The file of a setting may be missing, which is the same error.
    mayThrow(SettingsFaulty, () => readSettings({ flags: {}, env }));
  },
);

const texts = fc.property(bytes(text), (given) => mayThrow(Error, () => oneLine(textIn(given))));

const NODE = '{"store":"workspace://SpacesStore","id":"n1","type":"cm:folder","name":"a","parent":"p"}';
const nodeLines = fc.property(spoilt(fc.oneof(fc.constant(NODE), fc.json())), (line) => {
  const read = nodeInLine(line);
  if (typeof read === 'string') assert.notEqual(read, '');
  else assert.equal(read.store, JSON.parse(line).store);
});

const MEMBERS = [
  'name',
  'userName',
  'passwordHash',
  'hashIndicator',
  'salt',
  'administrator',
  'disabled',
  'enabled',
];
const HASHES = [
  ...[
    '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo',
    '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234',
  ],
  ...[
    '0cb6948805f797bf2a82807973b89537',
    'md4',
    'sha256',
    'bcrypt10',
    '{SSHA}YWJj',
    'pbkdf2_sha256$1$a$YWJj',
  ],
];
const members = fc.dictionary(
  fc.constantFrom(...MEMBERS),
  fc.oneof(
    spoilt(fc.constantFrom('ann', ...HASHES)),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.constantFrom('md4', 'x')),
  ),
);
const userLines = fc.property(
  fc.oneof({ weight: 5, arbitrary: members }, fc.jsonValue()),
  fc.boolean(),
  (given, sensitive) => {
    const read = userInLine(given, sensitive);
    if (typeof read === 'string') assert.notEqual(read, '');
    else assert.notEqual(read.name, '');
  },
);

type Read = (input: AsyncIterable<Buffer>, onBytes: (bytes: number) => void) => AsyncIterable<FileRecord>;

/** All records in these pieces, or the message that refuses the file. */
async function recordsIn(read: Read, pieces: readonly Buffer[]): Promise<FileRecord[] | string> {
  const input = (async function* () {
    yield* pieces;
  })();
  try {
    const records: FileRecord[] = [];
    for await (const record of read(input, () => undefined)) records.push(record);
    return records;
  } catch (error) {
    assert.ok(error instanceof CommandRefused, String((error as Error).stack));
    return error.message;
  }
}

/** A file has the same records however it is cut into pieces. */
const file = (read: Read, sample: string) =>
  fc.asyncProperty(inPieces(bytes(spoilt(fc.constant(sample)))), async ({ whole, pieces }) => {
    const [some, all] = [await recordsIn(read, pieces), await recordsIn(read, [whole])];
    // Of two faults in a file, the reader reports the one in the earlier piece.
    if (typeof some !== 'string' || typeof all !== 'string') assert.deepEqual(some, all);
  });

const ndjson = file(
  recordsInNdjson,
  '{"name":"ann"}\n\n{"name":"bob","enabled":true}\r\n{"name":"a","name":"b"}',
);
const csv = file(recordsInCsv, 'name,enabled,passwordHash\nann,true,"a ""b"""\r\nbob,,\n\n"c\nd",false,x\n');

/** The readers of settings and files. They refuse wrong input with their own errors, and throw no others. */
export const otherReaders: readonly Fuzzer[] = Object.entries({
  ...{ parsers, settings, texts, 'node-lines': nodeLines, 'user-lines': userLines, ndjson, csv },
}).map(([name, property]) => ({ name, weight: 1, property: property as fc.IRawProperty<unknown> }));
