import type { AnyOperation } from '../operation.ts';
import type { RequestHead } from './http-request.ts';

/** The method a request stands for: POST may carry another in `X-HTTP-Method-Override` or `alf_method`, GET never. */
export function methodOf({ method = 'GET', headers }: RequestHead, alfMethod: string | undefined): string {
  if (method !== 'POST') return method;
  const header = headers['x-http-method-override'];
  return (typeof header === 'string' && header !== '' ? header : alfMethod || method).toUpperCase();
}

/** The operation that takes this method: HEAD is answered as GET where a GET changes nothing. */
export function operationFor(
  operations: ReadonlyMap<string, AnyOperation>,
  method: string,
): AnyOperation | undefined {
  if (method !== 'HEAD') return operations.get(method);
  const get = operations.get('GET');
  return get?.access === 'write' ? undefined : get;
}

/** The methods that a path takes, as `Allow` lists them. */
export function allowedMethods(operations: ReadonlyMap<string, AnyOperation>): string {
  const methods = [...operations.keys()].sort();
  if (operationFor(operations, 'HEAD') !== undefined) methods.push('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}
