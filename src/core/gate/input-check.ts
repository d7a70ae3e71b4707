import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { bodyUnreadable, isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import type { AnyOperation, InputSchemas } from '../operation.ts';
import type { Call } from './call.ts';

type InputPart = keyof InputSchemas;
type CheckedInput = Partial<Record<InputPart, unknown>>;

/** Checks a call's input against its operation's schemas. Returns the parts that the operation declares. */
export type InputCheck = (call: Call) => CheckedInput | Refusal;

/** Several operations have one schema, and several services in one process the same operations. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator;
}

/** The input check of an operation. */
export function inputCheck({ input, api }: AnyOperation): InputCheck {
  const parts = Object.entries(input).map(([part, schema]) => ({
    part: part as InputPart,
    schema,
    validator: validatorOf(schema),
  }));
  return (call) => {
    const checked: CheckedInput = {};
    for (const { part, schema, validator } of parts) {
      const value = part === 'body' ? call.body() : { json: call[part] };
      if (isRefusal(value)) return value;
      const json = part === 'body' && api?.nullIsLeftOut ? withoutNulls(value.json) : value.json;
      if (!validator.Check(json)) return faultOf(part, validator, schema, json);
      checked[part] = json;
    }
    return checked;
  };
}

/** The refusal that the schema of a member names for this value. `refusalFor` is a pattern: it limits which values. */
function refusalOf(schema: Record<string, unknown> = {}, value: unknown): RefusalCode | undefined {
  const { refusal, refusalFor = '' } = schema;
  return new RegExp(refusalFor as string).test(String(value)) ? (refusal as RefusalCode) : undefined;
}

/** The first fault of `value`: the refusal that the schema of its member names, otherwise a refusal of the whole part. */
function faultOf(part: InputPart, validator: Validator, schema: TSchema, value: unknown): Refusal {
  const [, [fault]] = validator.Errors(value);
  const properties = ('properties' in schema ? schema.properties : {}) as Record<
    string,
    Record<string, unknown>
  >;
  const pointed = fault?.instancePath.split('/')[1];
  const [missing] = fault?.keyword === 'required' ? fault.params.requiredProperties : [];
  const member = pointed || missing;
  if (member === undefined) return bodyUnreadable('it is no JSON object');
  if (part === 'body' && !Object.hasOwn(properties, member)) {
    const taken = Object.keys(properties).join(', ');
    return bodyUnreadable(`it has a member that is not taken here: it takes ${taken}`);
  }
  const code = refusalOf(properties[member], (value as Record<string, unknown>)[member]);
  if (part === 'path' && code === undefined)
    throw new Error(
      `the schema of the path refuses "${member}": make a name Type.Optional that one of the paths lacks, and give a narrowed one its refusal`,
    );
  if (part === 'query' && code === undefined)
    return refuse('argument_invalid', { detail: `${member} (${properties[member]?.description})` });
  if (fault?.keyword === 'type' || code === undefined)
    return bodyUnreadable(`"${member}" is no ${properties[member]?.type}`);
  return refuse(
    code,
    code === 'body_invalid' ? { detail: `${member} is ${properties[member]?.description}` } : {},
  );
}

/** An object without its members that are null; any other value as it is. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}
