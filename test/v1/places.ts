import { V1 } from '../../src/api.ts';

/** Where the v1 API is found. */
export const [HOME = '', SHORT = ''] = V1.basePaths;
export const TICKETS = `${HOME}/authentication/versions/1/tickets`;
export const ME = `${TICKETS}/-me-`;
export const DEFINITIONS = `${HOME}/alfresco/versions/1/action-definitions`;

/** The list for a node. */
export const definitionsOf = (nodeId: string) =>
  `${HOME}/alfresco/versions/1/nodes/${nodeId}/action-definitions`;
