/**
 * The program of clients in a thread of their own, which connect to the socket at `path` until nothing is there any more. It says once
 * that 200 were answered, and at the end how many sent a whole request and got no answer. A connection on which nothing was sent yet may be closed at a stop.
 */
export const CLIENTS_AT_PATH = `
const { connect } = require('node:net');
const { parentPort, workerData: { path } } = require('node:worker_threads');
let answers = 0;
const ask = () => new Promise((done) => {
  let [isMade, isSent, text] = [false, false, ''];
  const socket = connect(path).setEncoding('utf8');
  socket.on('connect', () => {
    isMade = true;
    socket.write('GET /portal/login HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n', (fault) => { isSent = !fault; });
  });
  socket.on('data', (part) => { text += part; }).on('error', () => undefined).on('close', () => {
    if (text !== '' && ++answers === 200) parentPort.postMessage('enough');
    done({ isMade, isCut: isSent && text === '' });
  });
});
const client = async () => {
  let cut = 0;
  for (;;) {
    const { isMade, isCut } = await ask();
    if (!isMade) return cut;
    if (isCut) cut += 1;
  }
};
Promise.all(Array.from({ length: 16 }, client)).then((all) => parentPort.postMessage(all.reduce((sum, cut) => sum + cut)));
`;
