import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { operationFor } from '../../../../src/core/http/resolve-request.ts';
import { anyRequestRoutes, routes } from '../../../../src/core/http/routes.ts';
import type { AnyOperation } from '../../../../src/core/operation.ts';
import { openApiDocument } from '../../../../src/faces/description/openapi/document.ts';
import { parse } from '../../../capabilities/action-definitions/rule/xml.ts';
import { valueIn } from './xml-values.ts';

/** One exchange on the wire. */
export interface Exchange {
  readonly method: string;
  /** The target as it was sent: path and query. */
  readonly target: string;
  readonly status: number;
  readonly type: string | undefined;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Headers = Readonly<Record<string, { readonly $ref?: string; readonly required?: boolean }>>;
type Response = { readonly $ref?: string; readonly headers?: Headers; readonly content?: Content };
type Described = { readonly responses: Readonly<Record<string, Response>> };

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Headers;
  };
}

const lastOf = (reference: string) => reference.split('/').at(-1) as string;

/** The schema, changed to refuse members that it does not name: an answer must not have any. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, closed(member)]));
  const isOpen =
    'properties' in schema &&
    typeof (schema as Schema).type === 'string' &&
    !('additionalProperties' in schema);
  return isOpen ? { ...members, additionalProperties: false } : members;
}

/** Headers of HTTP itself, and those for caches and browsers: a document leaves them out. */
const UNTOLD =
  /^(date|connection|keep-alive|transfer-encoding|allow|vary|pragma|cache-control|content-(type|length|encoding|security-policy)|x-content-type-options|access-control-.*)$/;

/** Checks answers against an OpenAPI document: their status, headers, media type and body. */
export class Departures {
  readonly #document: Document;
  readonly #find: ReturnType<typeof routes>;
  readonly #findAny: ReturnType<typeof anyRequestRoutes>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(operations: readonly AnyOperation[], basePaths: readonly string[]) {
    this.#document = closed(JSON.parse(JSON.stringify(openApiDocument(operations, '')))) as Document;
    this.#find = routes(operations, basePaths);
    this.#findAny = anyRequestRoutes(operations, basePaths);
    (formats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema({ $id: 'described:', components: this.#document.components } as object);
  }

  /**
   * A sentence about what departs. Undefined if the answer is as described, or the operation is not in the document.
   */
  of({ method, target, status, type, headers, text }: Exchange): string | undefined {
    const described = this.#described(method, target);
    if (described === undefined) return undefined;
    const named = described.responses[status];
    const response = named?.$ref ? this.#document.components.responses[lastOf(named.$ref)] : named;
    if (response === undefined) return `no response ${status}`;
    const fault = this.#headerFault(response.headers ?? {}, headers);
    if (fault !== undefined) return `${fault} with ${status}`;
    if (method === 'HEAD' || response.content === undefined)
      return text === '' ? undefined : `a body with ${status}`;
    const bare = type?.split(';')[0] ?? 'no media type';
    const content = response.content[bare];
    if (content === undefined) return `no ${bare} with ${status}`;
    return this.#faultIn(text, bare, content.schema);
  }

  #described(method: string, target: string): Described | undefined {
    const any = this.#findAny(target);
    if (any !== undefined) return this.#document.paths[any.template]?.get;
    let segments: string[];
    try {
      segments = (target.split('?')[0] ?? '').split('/').slice(1).map(decodeURIComponent);
    } catch {
      return undefined;
    }
    const match = this.#find(segments);
    const carried = method === 'POST' ? new URLSearchParams(target.split('?')[1]).get('alf_method') : null;
    const operation = match && operationFor(match.operations, carried || method);
    return match && operation && this.#document.paths[match.template]?.[operation.method.toLowerCase()];
  }

  /** A header that is sent but not described, or that is missing although it is described as required. */
  #headerFault(described: Headers, came: Exchange['headers']): string | undefined {
    const known = Object.keys(described).map((name) => name.toLowerCase());
    const stray = Object.keys(came).find((name) => !UNTOLD.test(name) && !known.includes(name));
    if (stray !== undefined) return `no header ${stray}`;
    const missing = Object.entries(described).find(([name, header]) => {
      const { required } = header.$ref ? (this.#document.components.headers[name] ?? {}) : header;
      return required && came[name.toLowerCase()] === undefined;
    });
    return missing && `${missing[0]} is missing`;
  }

  #faultIn(text: string, type: string, schema: Schema): string | undefined {
    const isPage = type === 'text/html' && schema.type === 'string';
    if (isPage) return text.startsWith('<!doctype html>') ? undefined : 'no page';
    try {
      const value = this.#read(text, type, schema);
      const validate = this.#validator(schema);
      return validate(value) ? undefined : this.#ajv.errorsText(validate.errors);
    } catch (fault) {
      return (fault as Error).message;
    }
  }

  #read(text: string, type: string, schema: Schema): unknown {
    if (/json$|html$/.test(type)) return JSON.parse(text);
    if (type !== 'text/xml') return text;
    return valueIn(parse(text), schema, (reference) => this.#resolve(reference));
  }

  #resolve(reference: string): object {
    return this.#document.components.schemas[lastOf(reference)] as object;
  }

  #validator(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema);
    const known = this.#validators.get(key);
    if (known !== undefined) return known;
    const rooted = JSON.parse(key.replaceAll('"#/components/', '"described:#/components/'));
    const validator = this.#ajv.compile(rooted);
    this.#validators.set(key, validator);
    return validator;
  }
}
