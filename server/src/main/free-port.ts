/** PORT=0: links, mails and the file of credentials name the port, so the one that the system gives is known first. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

export async function choosePort(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (!/^0+$/.test(env.PORT?.trim() ?? '')) return env;
  const server = net.createServer().listen(0);
  await once(server, 'listening');
  // A server of TCP has an address of this form.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { ...env, PORT: String(port) };
}
