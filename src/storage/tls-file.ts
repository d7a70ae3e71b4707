import { readFileSync } from 'node:fs';
import { StoreUnavailable } from './store.ts';

/** The file that the parameter `name` of a store's URL names for TLS. Its faults, such as that it cannot be read, name both. */
export function tlsFile(name: string, path: string): Buffer {
  const bytes = bytesOf(name, path);
  // One without certificates Node takes for none, and the server's would be blamed.
  if (name.endsWith('cert') && !/-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/.test(bytes.toString('latin1')))
    throw new StoreUnavailable(
      `${name}: the file ${path} holds no certificate in PEM: convert it, such as with openssl x509`,
    );
  return bytes;
}

function bytesOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StoreUnavailable(`${name}: the file ${path} cannot be read`, { cause: error });
  }
}
