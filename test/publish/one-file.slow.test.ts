import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sourceOfPackages } from '../client/package.ts';
import { shell } from '../faces/cli/command.ts';
import { freePort } from '../service/free-port.ts';
import { besideSlimMachine, slimDebian, whyNoMachine } from './another-machine.ts';

const DATA = '/data';
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** What the file does on a machine that has nothing else. What the test expects is printed, a line each. */
const LIFE = `
with="env -i TESSERA_DATA=${DATA} TESSERA_PORT=$port TESSERA_METRICS_PORT=$metrics TESSERA_WORKERS=2 TESSERA_DOCS=true TESSERA_ADMIN_PASSWORD=a-long-quiet-river"
tessera() ( in_it $with /tessera "$@" )
tessera --version
( in_it $with /tessera serve ) >"$root/tmp/log" 2>&1 & service=$!
until tessera health 2>"$root/tmp/why"; do kill -0 "$service" || { cat "$root/tmp/log" "$root/tmp/why" >&2; exit 1; }; done
curl -sS "http://127.0.0.1:$port/alfresco/service/api/login" -d '{"username":"admin","password":"a-long-quiet-river"}' | grep -o TICKET
for place in portal/assets/style.css portal/assets/htmx.js portal/assets/mark.svg docs/ docs/images/user.webp; do
  curl -sS -o /dev/null -w '%{http_code}\\n' "http://127.0.0.1:$port/$place"
done
printf '%s' password | tessera users add lena --password-stdin 2>&1 || echo "ended with $?"
printf '%s' '{"groups":[{"name":"editors"}]}' | tessera apply -
tessera backup ${DATA}/copy.db | grep -o '^Wrote ${DATA}/copy.db and checked it'
tessera doctor | grep -o '^ok *database.*whole'
kill -INT "$service"; wait "$service"; echo "ended with $?"
ls -A "$root/tmp"
mount -o remount,noexec "$root/tmp"
printf '%s' four-quiet-rivers-meeting | tessera users passwd admin --password-stdin 2>&1 | grep -o 'name a folder in TMPDIR.*'
`;

test('one file is the same to the byte, and serves, applies, backs up and checks on an empty machine', async (t) => {
  const why = await whyNoMachine();
  if (why !== undefined) return t.skip(why);
  const built = async (umask: string) => {
    const source = await sourceOfPackages(t);
    const ended = await shell(`umask ${umask}; npm run --silent one-file`, {
      cwd: source,
      patience: 300_000,
    });
    assert.equal(ended.code, 0, ended.stderr);
    return join(source, ended.stdout.trim());
  };
  const root = await slimDebian(t, ['libatomic1']);
  mkdirSync(join(root, DATA));
  const file = join(root, 'tessera');
  copyFileSync(await built('022'), file);
  assert.ok(readFileSync(await built('077')).equals(readFileSync(file)));
  const ports = `port=${await freePort()} metrics=${await freePort()}`;
  const { stdout, stderr, code } = await besideSlimMachine(`${ports}\n${LIFE}`, root, DATA);
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
  assert.deepEqual(
    { said: stdout.split('\n'), code },
    {
      said: [
        version,
        'ready',
        'TICKET',
        ...['200', '200', '200', '200', '200'],
        'Refused: the password is one of the most common ones, tried first by everyone who guesses: choose another.',
        'ended with 1',
        '+ group "editors"',
        'Added 1, changed 0, removed 0.',
        `Wrote ${DATA}/copy.db and checked it`,
        'ok       database     it is whole',
        'ended with 0',
        ...['log', 'why'],
        'name a folder in TMPDIR, on a disk that may run programs',
        '',
      ],
      code: 0,
    },
    stderr,
  );
});
