/**
 * The program of clients in a thread of their own, which connect to the socket at `path` until nothing is there any more. It says once
 * that 200 were answered, and at the end how many connected and got no answer.
 */
export const CLIENTS_AT_PATH = `
const { connect } = require('node:net');
const { parentPort, workerData: { path } } = require('node:worker_threads');
let answers = 0;
const ask = () => new Promise((done) => {
  let [isMade, text] = [false, ''];
  const socket = connect(path).setEncoding('utf8');
  socket.on('connect', () => {
    isMade = true;
    socket.write('GET /portal/login HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n');
  });
  socket.on('data', (part) => { text += part; }).on('error', () => undefined).on('close', () => {
    if (text !== '' && ++answers === 200) parentPort.postMessage('enough');
    done({ isMade, isAnswered: text !== '' });
  });
});
const client = async () => {
  let cut = 0;
  for (;;) {
    const { isMade, isAnswered } = await ask();
    if (!isMade) return cut;
    if (!isAnswered) cut += 1;
  }
};
Promise.all(Array.from({ length: 16 }, client)).then((all) => parentPort.postMessage(all.reduce((sum, cut) => sum + cut)));
`;
