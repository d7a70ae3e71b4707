// oidc-provider with its own in-memory store and its own login pages.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

let handle;
const server = createServer((request, response) => handle(request, response));
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const client = {
    client_id: 'bench',
    client_secret: 'a secret of this bench',
    redirect_uris: ['https://client.example/callback'],
  };
  const provider = new Provider(issuer, {
    clients: [client],
    cookies: { keys: ['a key of this bench'] },
    pkce: { required: () => false },
    ttl: { AccessToken: 86_400 },
    features: { introspection: { enabled: true } },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  handle = provider.callback();
  console.log(`listens on ${issuer}`);
});
process.once('SIGTERM', () => process.exit());
