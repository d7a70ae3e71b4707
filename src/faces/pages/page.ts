import type { Answer } from '../../core/answer.ts';
import { PORTAL } from '../../core/api.ts';
import { REFUSALS, type RefusalCode } from '../../core/domain/refusal.ts';
import {
  type Access,
  type AnyOperation,
  type Authentication,
  answer,
  type InputSchemas,
  type Operation,
  operation,
  type RoleAt,
} from '../../core/operation.ts';
import type { Representation, ShowRefused } from '../../core/representations/representation.ts';
import { Type } from '../../core/schema.ts';

type PageMethod = 'GET' | 'POST';

/** A page as it is sent. */
export interface PageSent {
  /** The whole text, from its doctype on. */
  readonly text: string;
  /** The origin, besides that of the service, to which its form leads in the end. */
  readonly formLeadsTo?: string | undefined;
}

const pageSent: Representation<PageSent> = {
  schema: Type.String(),
  htmlText: ({ text }) => text,
  formLeadsTo: ({ formLeadsTo }) => formLeadsTo,
};

/**
 * The schema of a form: the CSRF token of its page, whose page it is if the form is kept, and these members. Without JavaScript a
 * browser sends texts only.
 */
export const form = <const P extends Record<string, object>>(members: P) =>
  Type.Object({
    formToken: Type.String({ description: 'The token of the page.' }),
    formOwner: Type.Optional(Type.String({ description: 'Whose page it is, sealed.' })),
    ...members,
  });

/** An answer that leads the browser to another page. */
export function seeOther(path: string, booked: Omit<Answer<PageSent>, 'value' | 'seeOther'> = {}) {
  return answer({ text: '' } as PageSent, { ...booked, seeOther: path });
}

/** Pages may give any refusal: a refusal of theirs is a page too. */
export const ANY_REFUSAL = Object.keys(REFUSALS) as RefusalCode[];

/** A page that is shown reads. A form changes something. */
type PageAccess<M extends PageMethod> = M extends 'GET' ? 'read' : 'write';

/** The descriptor of a page. All other members are the same for every page. */
type PageDescriptor<
  I extends InputSchemas,
  P,
  A extends Authentication,
  M extends PageMethod,
  W extends Access,
> = Pick<
  Operation<I, PageSent, RefusalCode, P, A, W>,
  'id' | 'summary' | 'paths' | 'input' | 'takesPassword' | 'keepsFields' | 'scopedTo' | 'prepare' | 'perform'
> &
  RoleAt<A, W> & {
    readonly method: M;
    /** Left out: `admin`, so that the page names the least role that sees it. */
    readonly authentication?: A;
    /** Left out: {@link PageAccess}. */
    readonly access?: W;
    /** Has the page run htmx for what it shows while a reader types. */
    readonly refusedHtml?: ShowRefused;
  };

/**
 * A page of the portal (specification, sections 17 to 19). It is an operation like others, so the gate authenticates it, checks
 * its input and opens its transaction. A POST changes something and leads to a page with {@link seeOther}.
 */
export function page<
  const I extends InputSchemas,
  const M extends PageMethod,
  P = undefined,
  const A extends Authentication = 'admin',
  const W extends 'read' | 'write' = PageAccess<M>,
>({ refusedHtml, ...descriptor }: PageDescriptor<I, P, A, M, W>): AnyOperation {
  const common = {
    lifecycle: 'public_api',
    family: 'Portal',
    api: PORTAL,
    authentication: 'admin',
    transaction: 'required',
    access: descriptor.method === 'GET' ? 'read' : 'write',
    formatStyle: 'argument',
    defaultFormat: 'html',
    bodyStyle: 'form',
    output: refusedHtml === undefined ? pageSent : { ...pageSent, refusedHtml },
    refusals: ANY_REFUSAL,
  } as const;
  return operation({ ...common, ...descriptor } as never) as unknown as AnyOperation;
}
