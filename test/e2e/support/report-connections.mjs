// Preloaded into a server (node --import): prints every connection that it opens, by whatever library.
import net from 'node:net';

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function reported(...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given;
  process.stdout.write(`CONNECTION ${options?.host ?? options?.path ?? options}:${options?.port ?? ''}\n`);
  return connect.apply(this, given);
};
