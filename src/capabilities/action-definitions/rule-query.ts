/** What the operations have in common that show users what rules may consist of. */
export const RULE_QUERY = {
  lifecycle: 'public_api',
  family: 'Rules',
  method: 'GET',
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  revalidated: true,
} as const;
