import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import type { KeyRole } from '../../../../src/core/domain/role.ts';
import { run } from '../../../../src/main/command-line.ts';
import type { Ended } from '../../../faces/cli/command.ts';
import { type TestService, temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';

/** Runs the command line in this process, which is faster than starting one for each command. */
export async function commandLine(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin: string | Buffer = '',
): Promise<Ended> {
  const heard = { stdout: '', stderr: '' };
  const streamTo = (name: keyof typeof heard) => ({
    isTTY: false,
    write(text: string, written?: unknown) {
      heard[name] += text;
      if (typeof written === 'function') written();
      return true;
    },
  });
  const terminal = {
    env,
    stdin: Readable.from([Buffer.from(stdin)]) as NodeJS.ReadableStream as NodeJS.ReadStream,
    stdout: streamTo('stdout') as Partial<NodeJS.WriteStream> as NodeJS.WriteStream,
    stderr: streamTo('stderr') as Partial<NodeJS.WriteStream> as NodeJS.WriteStream,
  };
  return { code: await run(words, terminal), ...heard };
}

/** The command line, which has a service over HTTP do its work, with an API key of this role. */
export async function onServer(t: TestContext, service: TestService, role: KeyRole) {
  const key = join(await temporaryFolder(t), 'key');
  writeFileSync(key, await service.addApiKey(role), { mode: 0o600 });
  return (words: string) =>
    commandLine(['--server', service.url, '--key-file', key, ...words.split(' ')], {});
}

/** The command line on a temporary data folder. */
export async function onFolder(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const data = await temporaryFolder(t);
  await openSqlite(data).close();
  const on = { TESSERA_DATA: data, ...env };
  return {
    data,
    nodes: (words: readonly string[], stdin?: string | Buffer) => commandLine(['nodes', ...words], on, stdin),
    definitions: (words: readonly string[]) => commandLine(['definitions', ...words], on),
  };
}

/** The text of a file with these lines. */
export const text = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
