import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest, RequestHead } from '../http-request.ts';
import type { PlainHead } from './head.ts';

/** A plain request that has arrived. Of its head it tells what Node would. */
export class PlainRequest implements HttpRequest, RequestHead {
  readonly id: string;
  readonly began = performance.now();
  readonly originalUrl: string;
  readonly method = 'GET';
  readonly httpVersion = '1.1';
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  readonly body = undefined;

  constructor(id: string, { target, fields }: PlainHead, socket: Socket) {
    this.id = id;
    this.originalUrl = target;
    this.headers = fields;
    this.socket = socket;
  }

  get raw(): RequestHead {
    return this;
  }

  get headersDistinct(): NodeJS.Dict<string[]> {
    return Object.fromEntries(Object.entries(this.headers).map(([name, value]) => [name, [value as string]]));
  }
}
