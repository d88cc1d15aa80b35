/** A DNS server by script, for A and AAAA over UDP: each name says what it answers the n-th time it is asked. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

const A = 1;
const CNAME = 5;
const AAAA = 28;
const HEADER_BYTES = 12;

export interface Records {
  a?: string[];
  aaaa?: string[];
  /** The addresses belong to this other name. */
  cname?: string;
}

/** Answers in their order, the last one for ever. */
export type Script = Records[];

export interface DnsServer {
  names: Map<string, Script>;
  /** Names asked for, one entry per question, with the type. */
  asked: string[];
  close(): Promise<void>;
}

export async function openDnsServer(address: string): Promise<DnsServer> {
  const names = new Map<string, Script>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    const question = `${type === AAAA ? 'AAAA' : 'A'} ${name}`;
    const times = asked.filter((one) => one === question).length;
    asked.push(question);
    const script = names.get(name);
    const records = script?.[Math.min(times, script.length - 1)];
    socket.send(toAnswer(query.subarray(0, end), { name, type, records }), from.port, from.address);
  });
  socket.bind(53, address);
  await once(socket, 'listening');
  return {
    names,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function toAnswer(
  question: Buffer,
  { name, type, records }: { name: string; type: number; records: Records | undefined },
): Buffer {
  const owner = records?.cname ?? name;
  const addresses = (type === A ? records?.a : type === AAAA ? records?.aaaa : []) ?? [];
  const answers = [
    ...(records?.cname ? [toRecord(name, CNAME, toName(records.cname))] : []),
    ...addresses.map((address) => toRecord(owner, type, Buffer.from(ipaddr.parse(address).toByteArray()))),
  ];
  const head = Buffer.from(question);
  // A recursive answer without error, or a name that does not exist.
  head.writeUInt16BE(records ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...answers]);
}

/** Every record may be kept for no time at all. */
function toRecord(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([toName(name), fixed, data]);
}

function toName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}
