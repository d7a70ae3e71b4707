// parse-server with PostgreSQL. Its caches live longer than a measurement. Argument: the URL of the database.
import { createServer } from 'node:net';
import { ParseServer } from 'parse-server';

const [databaseURI] = process.argv.slice(2);

const probe = createServer().listen(0, '127.0.0.1', () => {
  const { port } = probe.address();
  probe.close(() => serve(port));
});

async function serve(port) {
  const serverURL = `http://127.0.0.1:${port}/parse`;
  await ParseServer.startApp({
    databaseURI,
    serverURL,
    port,
    host: '127.0.0.1',
    mountPath: '/parse',
    appId: 'bench',
    masterKey: 'a key of this bench',
    allowClientClassCreation: false,
    enforcePrivateUsers: true,
    directAccess: true,
    cacheTTL: 600_000,
    silent: true,
    logsFolder: null,
    logLevel: 'error',
    verifyServerUrl: false,
  });
  console.log(`listens on http://127.0.0.1:${port}`);
}
process.once('SIGTERM', () => process.exit());
