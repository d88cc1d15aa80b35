/** A way to the store that can fail as real ones do: packets go in and nothing comes out, and nobody is told. */
import { once } from 'node:events';
import net from 'node:net';
import { portOf } from './port-of.ts';

export interface SwallowingProxy {
  /** The store at `connectionString`, by way of the proxy. */
  url: string;
  /** From now on everything is swallowed, in both directions and of new connections too; none is closed. */
  swallow(): void;
  /** New connections pass again; those of before stay dead. */
  heal(): void;
  close(): Promise<void>;
}

export async function openSwallowingProxy(connectionString: string): Promise<SwallowingProxy> {
  const sockets = new Set<net.Socket>();
  let isSwallowing = false;
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = net.createServer((client) => {
    keep(client);
    if (isSwallowing) return void client.resume();
    const store = keep(net.connect(toStoreAddress(connectionString)));
    const pass = (from: net.Socket, to: net.Socket) => {
      from.on('data', (bytes) => (dead.has(from) ? undefined : to.write(bytes)));
      from.once('close', () => (dead.has(from) ? undefined : to.destroy()));
    };
    pass(client, store);
    pass(store, client);
  });
  const dead = new WeakSet<net.Socket>();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: toProxied(connectionString, server),
    swallow: () => {
      isSwallowing = true;
      for (const socket of sockets) dead.add(socket);
    },
    heal: () => {
      isSwallowing = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A socket's folder, as the embedded store has one, or a host. */
export function toStoreAddress(connectionString: string): net.NetConnectOpts {
  const { hostname, port, searchParams } = new URL(connectionString);
  const folder = searchParams.get('host');
  const at = Number(searchParams.get('port') ?? (port || 5432));
  return folder?.startsWith('/') ? { path: `${folder}/.s.PGSQL.${at}` } : { host: hostname, port: at };
}

export function toProxied(connectionString: string, server: net.Server): string {
  const url = new URL(connectionString);
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  url.hostname = '127.0.0.1';
  url.port = String(portOf(server));
  return url.href;
}
