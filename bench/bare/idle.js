// Plain JavaScript, since a bare process has no types to strip.
import { createServer } from 'node:http';

const server = createServer((_request, response) => response.end('here\n'));
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit());
