import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ServerCertificate } from '../../../service/certified.ts';

/** A node of the repository, with its children. */
interface Kept {
  readonly id: string;
  readonly name: string;
  readonly nodeType: string;
  /** Whether the account may not see the node. */
  readonly hidden?: boolean;
  readonly children: readonly Kept[];
}

/** Answers a request instead of the repository. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** The account that the repository knows. */
export const READER = { name: 'reader', password: 'geheim: ä' };

const NODES = '/alfresco/api/-default-/public/alfresco/versions/1/nodes/';
const CONSTRAINTS = '/alfresco/service/api/actionConstraints';
const AUTHORIZATION = `Basic ${Buffer.from(`${READER.name}:${READER.password}`).toString('base64')}`;

/** A node of the repository, with what lies in it. */
export function kept(id: string, nodeType: string, name = id, ...children: readonly Kept[]): Kept {
  return { id, name, nodeType, children };
}

function below(node: Kept, id: string): Kept | undefined {
  if (node.id === id) return node;
  for (const child of node.children) {
    const found = below(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The constraints of the repository: for each name its values with their labels. */
export type KeptConstraints = Readonly<Record<string, Readonly<Record<string, string>>>>;

const constraintShown = ([name, values]: [string, Readonly<Record<string, string>>]) => ({
  name,
  values: Object.entries(values).map(([value, displayLabel]) => ({ value, displayLabel })),
});

/**
 * A content repository that speaks the calls `GET …/nodes/{id}`, `GET …/nodes/-root-?relativePath=` and
 * `GET …/actionConstraints[/{name}]` over HTTP.
 */
export class ContentRepository {
  /** The targets of the requests so far, as on the request line. */
  readonly asked: string[] = [];
  /** If set, it answers instead. */
  behaviour: Behaviour | undefined;
  /** Without them it is older than the web scripts that show them. */
  constraints: KeptConstraints | undefined;
  readonly #server: Server;
  readonly #scheme: string;
  readonly #root: Kept;

  private constructor(root: Kept, tls?: ServerCertificate) {
    const handle: Behaviour = (request, response) => this.#handle(request, response);
    this.#server = tls ? createTlsServer(tls, handle) : createServer(handle);
    this.#scheme = tls ? 'https' : 'http';
    this.#root = root;
  }

  /** Starts a repository with this root, and stops it after the test. */
  static async start(t: TestContext, root: Kept, tls?: ServerCertificate): Promise<ContentRepository> {
    const repository = new ContentRepository(root, tls);
    repository.#server.listen(0, '127.0.0.1');
    await once(repository.#server, 'listening');
    t.after(() => repository.stop());
    return repository;
  }

  /** Its URL for the setting. */
  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}/alfresco`;
  }

  /** The number of open connections. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const target = request.url ?? '';
    this.asked.push(target);
    if (this.behaviour !== undefined) {
      this.behaviour(request, response);
      return;
    }
    const [status, body] =
      request.headers.authorization === AUTHORIZATION ? this.#answer(target) : [401, { error: {} }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  /** Like the real repository: it decodes a path segment after splitting, and the argument before. */
  #answer(target: string): [status: number, body: object] {
    const { pathname, searchParams } = new URL(target, 'http://repository');
    if (pathname.startsWith(CONSTRAINTS)) return this.#constraints(pathname.slice(CONSTRAINTS.length));
    const segments = pathname.slice(NODES.length).split('/');
    if (!pathname.startsWith(NODES) || segments.length !== 1) return [404, { error: {} }];
    const id = decodeURIComponent(segments[0] as string);
    let node = ['-root-', '-my-', '-shared-'].includes(id) ? this.#root : below(this.#root, id);
    for (const name of (searchParams.get('relativePath') ?? '').split('/').filter((part) => part !== '')) {
      node = node?.children.find((child) => child.name === name);
    }
    if (node === undefined) return [404, { error: {} }];
    if (node.hidden === true) return [403, { error: {} }];
    const { id: found, name, nodeType } = node;
    return [200, { entry: { id: found, name, nodeType, isFolder: true, parentId: 'somewhere' } }];
  }

  #constraints(rest: string): [status: number, body: object] {
    if (this.constraints === undefined) return [404, {}];
    const all = Object.entries(this.constraints);
    if (rest === '') return [200, { data: all.map(constraintShown) }];
    const found = all.find(([name]) => `/${encodeURIComponent(name)}` === rest);
    return found === undefined
      ? [404, { message: 'no such constraint' }]
      : [200, { data: constraintShown(found) }];
  }
}
