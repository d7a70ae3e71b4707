import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { afterwards } from '../../service/afterwards.ts';

/** A span, as a collector reads it. Ids are in hex; a time is in nanoseconds since the epoch. */
export interface CollectedSpan {
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly state: string;
  readonly name: string;
  readonly kind: number;
  readonly began: bigint;
  readonly ended: bigint;
  readonly isFaulty: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The attributes of the service that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector of traces, which takes them by OTLP over HTTP with protobuf. */
export interface Collector {
  readonly url: string;
  /** The bytes of every request so far. */
  readonly bytes: Buffer[];
  readonly headers: IncomingHttpHeaders[];
  spans(): CollectedSpan[];
}

/** Starts a collector, which is closed after the test. `status` is what it answers with. */
export async function startCollector(t: TestContext, status = 200): Promise<Collector> {
  const bytes: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    headers.push(request.headers);
    if (request.url === '/v1/traces') bytes.push(body);
    response.writeHead(request.url === '/v1/traces' ? status : 404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, bytes, headers, spans: () => bytes.flatMap(spansIn) };
}

/** The fields of a message, by their numbers (protobuf's wire format). A number is a bigint, everything else bytes. */
function fieldsOf(message: Buffer): Map<number, (bigint | Buffer)[]> {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const type = tag & 7;
    const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : Number(varint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

type Fields = ReturnType<typeof fieldsOf>;

const messagesIn = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).map((one) => fieldsOf(one as Buffer));
const bytesIn = (fields: Fields, number: number) => (fields.get(number)?.[0] ?? Buffer.of()) as Buffer;

function attributesIn(fields: Fields, number: number): Record<string, unknown> {
  return Object.fromEntries(
    messagesIn(fields, number).map((pair) => {
      const [value = new Map()] = messagesIn(pair, 2);
      const text: Buffer | undefined = value.get(1)?.[0];
      return [bytesIn(pair, 1).toString(), text?.toString() ?? Number(value.get(3)?.[0])];
    }),
  );
}

/** The spans in a request (opentelemetry-proto, `ExportTraceServiceRequest`). */
function spansIn(request: Buffer): CollectedSpan[] {
  return messagesIn(fieldsOf(request), 1).flatMap((ofResource) => {
    const resource = messagesIn(ofResource, 1).map((one) => attributesIn(one, 1))[0] ?? {};
    const spans = messagesIn(ofResource, 2).flatMap((ofScope) => messagesIn(ofScope, 2));
    return spans.map((span) => ({
      trace: bytesIn(span, 1).toString('hex'),
      id: bytesIn(span, 2).toString('hex'),
      state: bytesIn(span, 3).toString(),
      parent: bytesIn(span, 4).toString('hex'),
      name: bytesIn(span, 5).toString(),
      kind: Number(span.get(6)?.[0]),
      began: bytesIn(span, 7).readBigUInt64LE(),
      ended: bytesIn(span, 8).readBigUInt64LE(),
      attributes: attributesIn(span, 9),
      isFaulty: messagesIn(span, 15).some((status) => status.get(3)?.[0] === 2n),
      resource,
    }));
  });
}
