import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const texts = Type.Array(Type.String({ minLength: 1 }), { minItems: 1 });
/** The name of a header of an answer, in lower case. */
const HEADER_NAME = '^[a-z0-9-]+$';

const Header = Type.Union([
  Type.String({ description: 'Its value, to the byte.' }),
  Type.Null({ description: 'It is not there.' }),
  Type.Object({ pattern: Type.String({ description: 'What its value matches.' }) }, closed),
]);

const Request = Type.Object(
  {
    ask: Type.String({
      pattern: '^[A-Z]+ ',
      description:
        'Method and target as they stand on the request line. {{name}} stands for a variable, percent-encoded; {{/name}} leaves its slashes.',
    }),
    base: Type.Optional(
      Type.Union([Type.Literal('scripts'), Type.Literal('v1'), Type.Literal('host')], {
        description:
          'What the target stands below: the base URL (when left out), the v1 API, or the host alone.',
      }),
    ),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    basic: Type.Optional(
      Type.String({ description: 'What Authorization: Basic is made over, such as {{user}}:{{password}}.' }),
    ),
    json: Type.Optional(Type.Unknown({ description: 'The body, written as JSON.' })),
    body: Type.Optional(Type.String({ description: 'The body as it is.' })),
    form: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'The body as a form, with its type: URL-encoded, or in parts where inParts is true.',
      }),
    ),
    inParts: Type.Optional(Type.Literal(true, { description: 'The form is sent as multipart/form-data.' })),
    repeated: Type.Optional(
      Type.Integer({ minimum: 1, description: 'How many times the body stands one after another.' }),
    ),
    chunked: Type.Optional(
      Type.Literal(true, { description: 'The body is sent in chunks, without a length.' }),
    ),
    stray: Type.Optional(Type.String({ description: 'Bytes behind the head that no length announces.' })),
  },
  closed,
);

const Answer = Type.Object(
  {
    status: Type.Union([Type.Integer(), Type.Array(Type.Integer(), { minItems: 1 })], {
      description: 'The status, or those that are right.',
    }),
    headers: Type.Optional(Type.Record(Type.String({ pattern: HEADER_NAME }), Header, closed)),
    body: Type.Optional(Type.String({ description: 'The whole body, to the byte.' })),
    pattern: Type.Optional(Type.String({ description: 'What the body matches.' })),
    schema: Type.Optional(Type.Unknown({ description: 'JSON Schema (2020-12) of a body in JSON.' })),
    holds: Type.Optional(texts),
    lacks: Type.Optional(texts),
  },
  closed,
);

const Capture = Type.Union([
  Type.Object({ pointer: Type.String({ description: 'Where it is in a body in JSON (RFC 6901).' }) }, closed),
  Type.Object({ pattern: Type.String({ description: 'Its first group, in the body.' }) }, closed),
  Type.Object(
    { header: Type.String({ pattern: HEADER_NAME, description: 'The header of that name, in lower case.' }) },
    closed,
  ),
]);

const Exchange = Type.Object(
  {
    request: Request,
    answer: Answer,
    reference: Type.Optional(Answer),
    capture: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-zA-Z]+$' }), Capture, {
        ...closed,
        description: 'Variables that further exchanges use.',
      }),
    ),
  },
  closed,
);

const Case = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9-]+$' }),
    promise: Type.String({ description: 'What is promised, as a sentence.' }),
    section: Type.Optional(Type.String({ description: 'Where it is said, where the file does not say it.' })),
    operation: Type.Optional(Type.String({ description: 'The id of the operation that it is about.' })),
    mark: Type.Union([Type.Literal('='), Type.Literal('+'), Type.Literal('≠')], {
      description:
        '=: as the reference does. +: more than the reference does. ≠: different from the reference on purpose.',
    }),
    why: Type.Optional(Type.String({ description: 'Why it differs from the reference, or goes beyond it.' })),
    needs: Type.Optional(
      Type.Array(Type.Union([Type.Literal('other'), Type.Literal('guest')]), {
        description: 'Accounts beside the first one; without them the case is skipped.',
      }),
    ),
    exchanges: Type.Array(Exchange, { minItems: 1 }),
  },
  closed,
);

/** A file of cases about one subject. The cases share the variables that `before` captures. */
export const CaseFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    subject: Type.String(),
    section: Type.String({ description: 'Where the specification says it.' }),
    before: Type.Optional(Type.Array(Exchange)),
    cases: Type.Array(Case, { minItems: 1 }),
  },
  { title: 'Cases of conformance', ...closed },
);

export type CaseFile = Static<typeof CaseFile>;
export type ConformanceCase = Static<typeof Case>;
export type Exchange = Static<typeof Exchange>;
export type ExchangeRequest = Static<typeof Request>;
export type ExpectedAnswer = Static<typeof Answer>;
export type Capture = Static<typeof Capture>;
