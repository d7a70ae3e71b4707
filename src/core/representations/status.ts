import type { RefusalCode } from '../domain/refusal.ts';
import { Type } from '../schema.ts';
import type { Page, Representation, XmlElement } from './representation.ts';

/** The status document (specification, section 7): the body of every error, and of the answer to a logout. */
interface StatusDocument {
  readonly code: StatusCode;
  readonly message: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The signature of the service. */
  readonly signature: string;
}

const STATUSES = {
  200: ['OK', 'The request was carried out.'],
  400: ['Bad Request', 'The request cannot be understood as it was sent.'],
  401: ['Unauthorized', 'The request needs a live ticket, or a user name and password.'],
  403: ['Forbidden', 'The request was understood and is refused.'],
  404: ['Not Found', 'What the request names is not here.'],
  405: ['Method Not Allowed', 'What the request names does not take its method.'],
  406: ['Not Acceptable', 'The answer cannot be had in the format asked for.'],
  408: ['Request Timeout', 'The request did not arrive in time.'],
  409: ['Conflict', 'What the request asks for contradicts what is stored.'],
  412: ['Precondition Failed', 'What the request changes is no longer what its caller saw.'],
  413: ['Content Too Large', 'The request body is larger than this service reads.'],
  414: ['URI Too Long', 'The request URL is longer than this service reads.'],
  421: ['Misdirected Request', 'The request names a host that this service does not serve.'],
  431: ['Request Header Fields Too Large', 'The request header is larger than this service reads.'],
  500: ['Internal Error', 'The service failed; its log tells why.'],
  503: ['Service Unavailable', 'The service cannot answer at the moment.'],
} as const satisfies Record<number, readonly [name: string, description: string]>;

export type StatusCode = keyof typeof STATUSES;

/** The name of a status. It begins the status document and titles a problem document. */
export function statusName(code: StatusCode): string {
  return STATUSES[code][0];
}

function xml({ code, message, at, signature }: StatusDocument): XmlElement {
  const [name, description] = STATUSES[code];
  const status: XmlElement[] = [
    ['code', String(code)],
    ['name', name],
    ['description', description],
  ];
  return [
    'response',
    [
      ['status', status],
      ['message', message],
      ['exception', ''],
      ['callstack', []],
      ['server', signature],
      ['time', new Date(at).toISOString()],
    ],
  ];
}

function html({ code, message, at, signature }: StatusDocument): Page {
  const [name, description] = STATUSES[code];
  const rows = [
    ['Message', message],
    ['Description', description],
    ['Server', signature],
    ['Time', new Date(at).toISOString()],
  ] as const;
  return { title: `${code} ${name}`, rows };
}

export const statusShown = {
  schema: Type.Object(
    {
      status: Type.Object({ code: Type.Integer(), name: Type.String(), description: Type.String() }),
      message: Type.String(),
      exception: Type.String(),
      callstack: Type.Array(Type.String(), { xml: { wrapped: true } }),
      server: Type.String(),
      time: Type.String({ format: 'date-time' }),
    },
    { title: 'Status document', xml: { name: 'response' } },
  ),
  json: ({ code, message, at, signature }) => {
    const [name, description] = STATUSES[code];
    const time = new Date(at).toISOString();
    return {
      status: { code, name, description },
      message,
      exception: '',
      callstack: [],
      server: signature,
      time,
    };
  },
  xml,
  html,
} satisfies Representation<StatusDocument>;

/** A problem document (RFC 9457), with the refusal's code for programs. */
export interface Problem extends Omit<StatusDocument, 'at' | 'signature'> {
  readonly refused: RefusalCode;
}

/** The values of an error document in the v1 and OAuth 2.0 APIs, each of which has its own form. */
export interface ApiError extends Problem {
  /** What is wrong in this case. It holds no secrets. */
  readonly detail?: string | undefined;
  /** The id of the request. The log says more under it. */
  readonly requestId: string;
}

export const problemShown = {
  schema: Type.Object(
    {
      type: Type.String(),
      title: Type.String(),
      status: Type.Integer(),
      detail: Type.String(),
      code: Type.String(),
    },
    { title: 'Problem' },
  ),
  json: ({ code, message, refused }) => ({
    type: 'about:blank',
    title: statusName(code),
    status: code,
    detail: message,
    code: refused,
  }),
} satisfies Representation<Problem>;
