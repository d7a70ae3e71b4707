import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sourceOfPackages } from '../client/package.ts';
import { run, shell } from '../faces/cli/command.ts';
import { freePort } from '../service/free-port.ts';
import { temporaryFolder } from '../service/start.ts';
import { onCopyOfMachine, whyNoMachine } from './another-machine.ts';
import { assertImageServes } from './image.ts';

const PATIENCE = 400_000;

/** Builds the package in a folder of its own under this umask, and gives its path. */
async function built(source: string, umask: string): Promise<string> {
  const line = `umask ${umask}; npm run --silent deb -- --compression none`;
  const ended = await shell(line, { cwd: source, patience: PATIENCE });
  assert.equal(ended.code, 0, ended.stderr);
  return join(source, ended.stdout.trim());
}

/** The same package with a version before it. */
async function older(deb: string, folder: string): Promise<string> {
  const to = join(folder, 'older.deb');
  const line = `dpkg-deb -R "$0" tree && sed -i 's/^Version: .*/Version: 0.0.1/' tree/DEBIAN/control && dpkg-deb -Znone -b tree "$1" && rm -r tree`;
  const ended = await run('sh', ['-euc', line, deb, to], { cwd: folder, patience: PATIENCE });
  assert.equal(ended.code, 0, ended.stderr);
  return to;
}

/** Functions of a shell: `serve` starts the service as its unit does and waits for it, `stop` ends it, `ask` asks it. */
const SERVICE = `
serve() {
  ( set -a; . /etc/tessera/environment; cd /usr/lib/tessera
    exec setpriv --reuid=tessera --regid=tessera --init-groups env TESSERA_DATA=/var/lib/tessera \\
      $(sed -n 's/^ExecStart=//p' /lib/systemd/system/tessera.service) ) >/var/log/service 2>&1 & service=$!
  until ( . /etc/tessera/environment; export TESSERA_METRICS_PORT; /usr/lib/tessera/bin/tessera health ) >/dev/null 2>/var/log/why; do
    kill -0 "$service" || { cat /var/log/service /var/log/why >&2; exit 1; }
  done
}
stop() { kill -INT "$service"; wait "$service"; }
ask() { . /etc/tessera/environment; url=http://127.0.0.1:$TESSERA_PORT/alfresco/service/api/login; path=$1; shift; curl -sS "$url$path" "$@"; }
`;

/** The life of a package on a machine. What the test expects is printed, a line each. */
const LIFE = `${SERVICE}
rm -f /usr/bin/node /usr/local/bin/node
dpkg --install /mnt/older.deb >/dev/null
stat -c '%U %G %a' /etc/tessera/environment
readlink /etc/systemd/system/multi-user.target.wants/tessera.service
printf '%s\\n' "$SETTINGS" >>/etc/tessera/environment
install -d -o tessera -g tessera -m 0700 /var/lib/tessera
serve
ticket=$(ask '' -d '{"username":"admin","password":"'"$(cat /var/lib/tessera/initial-password)"'"}' | grep -o 'TICKET_[0-9a-f]*')
stop
dpkg --install /mnt/tessera.deb >/dev/null
dpkg-query -W tessera
serve
ask "/ticket/$ticket" -u ":$ticket" -o /dev/null -w '%{http_code}\\n'
stop
mandoc /usr/share/man/man1/tessera.1.gz | grep -o -m1 '^TESSERA(1)'
bash -c '. /usr/share/bash-completion/completions/tessera && complete -p tessera'
dpkg --remove tessera >/dev/null
ls /usr/lib/tessera 2>&1 | head -1
ls /var/lib/tessera/tessera.db /etc/tessera/environment
dpkg --purge tessera >/dev/null
find /etc /usr /var/lib /lib -path '*tessera*' -not -path '/var/lib/systemd/*'
echo purged
`;

test('the Debian package is the same to the byte, and is installed, upgraded, removed and purged', async (t) => {
  const why = await whyNoMachine();
  if (why !== undefined) return t.skip(why);
  const source = await sourceOfPackages(t);
  const folder = await temporaryFolder(t);
  const deb = join(folder, 'tessera.deb');
  copyFileSync(await built(source, '022'), deb);
  assert.ok(readFileSync(await built(source, '077')).equals(readFileSync(deb)));
  await older(deb, folder);

  const settings = `TESSERA_PORT=${await freePort()}\nTESSERA_METRICS_PORT=${await freePort()}`;
  const { stdout, stderr, code } = await onCopyOfMachine(`SETTINGS='${settings}'\n${LIFE}`, folder);
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  assert.deepEqual(
    { said: stdout.split('\n'), code },
    {
      said: [
        'root root 600',
        '/lib/systemd/system/tessera.service',
        `tessera\t${version}`,
        '200',
        'TESSERA(1)',
        'complete -F _tessera tessera',
        "ls: cannot access '/usr/lib/tessera': No such file or directory",
        '/etc/tessera/environment',
        '/var/lib/tessera/tessera.db',
        'purged',
        '',
      ],
      code: 0,
    },
    stderr,
  );
  await t.test('its files serve as the image has them', (inner) => assertImageServes(inner, deb));
});
