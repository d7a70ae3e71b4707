import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../test/faces/cli/command.ts';
import { onCopyOfMachine } from '../../test/publish/another-machine.ts';
import { freePort } from '../../test/service/free-port.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const RUN = 'bin/node --test --test-reporter=dot';

/** Something that a newcomer does, as lines of a shell in an empty folder. `before` is not timed. */
interface Step {
  readonly what: string;
  /** The page whose lines these are. */
  readonly page: string;
  readonly before?: string;
  readonly lines: string;
  /** Whether they are played on a copy of this machine, which goes with what they write. */
  readonly isOnCopy?: true;
}

/** Lines that start the service, log in with its first password, and stop it. */
const ticketFrom = (start: string, data: string) => `
${start} >log 2>&1 & service=$!
url="http://127.0.0.1:$TESSERA_PORT/alfresco/service/api"
until [ -s ${data}/initial-password ] && curl -s -o /dev/null "$url/server"; do
  kill -0 $service || { cat log >&2; exit 1; }
done
curl -s "$url/login" -d '{"username":"admin","password":"'"$(cat ${data}/initial-password)"'"}' | grep -q TICKET_
kill -INT $service; wait $service`;

const STEPS: readonly Step[] = [
  {
    what: 'Clone, install, start, get a ticket',
    page: 'README.md',
    lines: `git clone -q "$CHECKOUT" tessera && cd tessera && npm ci --silent >/dev/null${ticketFrom('bin/tessera serve', 'data')}`,
  },
  {
    what: 'Install the package for Debian, start, get a ticket',
    page: 'deploy/README.md#debian-and-ubuntu',
    before: 'cd "$CHECKOUT" && npm run --silent deb >/dev/null && mv tessera_*.deb "$FOLDER/tessera.deb"',
    // What systemd would do is done here.
    isOnCopy: true,
    lines: `dpkg --install /mnt/tessera.deb >/dev/null 2>&1; install -d -o tessera -g tessera /var/lib/tessera
export TESSERA_DATA=/var/lib/tessera
${ticketFrom('setpriv --reuid=tessera --regid=tessera --init-groups /usr/lib/tessera/bin/tessera serve', '/var/lib/tessera')}`,
  },
  {
    what: 'Protect a website, with nginx or Caddy (the page, with both, in a browser)',
    page: 'docs/how-to/protect-a-page.md',
    lines: `cd "$CHECKOUT" && ${RUN} test/docs/protect-a-page.test.ts`,
  },
  {
    what: 'Invite a person, who chooses a password (by mail, in a browser)',
    page: 'docs/how-to/mail.md',
    lines: `cd "$CHECKOUT" && ${RUN} test/capabilities/mail/in-a-browser.test.ts`,
  },
  {
    what: "Import the users of an Alfresco's database",
    page: 'docs/how-to/moving-from-alfresco.md',
    lines: `cd "$CHECKOUT" && ${RUN} test/docs/moving-from-alfresco.test.ts`,
  },
  {
    what: 'Point an ADF application here, and sign in and out, both ways',
    page: 'docs/how-to/in-place-of-the-identity-service.md',
    before: 'cd "$CHECKOUT" && npm run --silent clients >/dev/null',
    lines: `cd "$CHECKOUT" && ${RUN} test/clients/single-sign-on/adf.slow.test.ts`,
  },
];

/** Plays lines in a folder. Throws with what they said if they fail. */
async function play(
  lines: string,
  { folder, port, isOnCopy = false }: { folder: string; port: number; isOnCopy?: boolean },
) {
  // The programs of the machine, as a newcomer has them: npm under its own Node.
  const settings = {
    PATH: process.env.PATH ?? '',
    CHECKOUT,
    FOLDER: folder,
    TESSERA_PORT: String(port),
    TESSERA_METRICS_PORT: '0',
  };
  const given = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'\n`);
  const { stdout, stderr, code } = isOnCopy
    ? await onCopyOfMachine(given.join('') + lines, folder)
    : await run('sh', ['-euc', given.join('') + lines], { cwd: folder, patience: 600_000 });
  if (code !== 0) throw new Error(`${lines}\n${stdout}${stderr}`);
}

/** Plays each step from an empty folder, and prints what it took, as a table of Markdown. */
process.stdout.write('| What | Page | Seconds |\n| --- | --- | --- |\n');
for (const { what, page, before, lines, isOnCopy } of STEPS) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-first-hour-'));
  try {
    const port = await freePort();
    if (before !== undefined) await play(before, { folder, port });
    const begun = performance.now();
    await play(lines, { folder, port, isOnCopy: isOnCopy === true });
    const seconds = (performance.now() - begun) / 1_000;
    process.stdout.write(`| ${what} | [${page}](../${page}) | ${seconds.toFixed(1)} |\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
