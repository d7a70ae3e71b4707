/** Something that a newcomer does, from an empty folder. */
interface Doing {
  readonly what: string;
  /** The page that tells how. */
  readonly page: string;
  /** Lines of a shell that are not timed. */
  readonly before?: string;
}

/** What the lines of a page do in a shell. */
export interface PlayedStep extends Doing {
  readonly lines: string;
  /** Whether they are played on a copy of this machine, which goes with what they write. */
  readonly isOnCopy?: true;
}

/** What a test does that plays a page. */
export interface TestedStep extends Doing {
  readonly test: string;
  /** The name of its only test, if Node takes another file for its place: the one that has the servers of tests. */
  readonly named?: string;
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

export const STEPS: readonly (PlayedStep | TestedStep)[] = [
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
    test: 'test/docs/protect-a-page.test.ts',
  },
  {
    what: 'Invite a person, who chooses a password (by mail, in a browser)',
    page: 'docs/how-to/mail.md',
    test: 'test/capabilities/mail/in-a-browser.test.ts',
  },
  {
    what: "Import the users of an Alfresco's database",
    page: 'docs/how-to/moving-from-alfresco.md',
    test: 'test/docs/moving-from-alfresco.test.ts',
    named: 'the query of the page gives the lines that the import reads',
  },
  {
    what: 'Point an ADF application here, and sign in and out, both ways',
    page: 'docs/how-to/in-place-of-the-identity-service.md',
    before: 'cd "$CHECKOUT" && npm run --silent clients >/dev/null',
    test: 'test/clients/single-sign-on/adf.slow.test.ts',
  },
];

export const HEAD = '| What | Page | Seconds |\n| --- | --- | --- |\n';

/** The row of a step in a table of Markdown, which ends with a line break. */
export const rowOf = ({ what, page }: Doing, milliseconds: number): string =>
  `| ${what} | [${page}](../${page}) | ${(milliseconds / 1_000).toFixed(1)} |\n`;
