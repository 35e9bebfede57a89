import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  /** Empty where there is none. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** 2: an error. */
  readonly status: number;
}

type Field = Uint8Array | bigint;

/** The fields of one protobuf message by their numbers, as they come. */
function fieldsOf(bytes: Uint8Array): Map<number, Field[]> {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, Field[]>();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    let value: Field;
    if (type === WireType.LengthDelimited) value = reader.bytes();
    else if (type === WireType.Bit64) value = BigInt(reader.fixed64());
    else if (type === WireType.Varint) value = BigInt(reader.int64());
    else {
      reader.skip(type, number);
      continue;
    }
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const bytesAt = (fields: Map<number, Field[]>, number: number) =>
  (fields.get(number) ?? []).filter((field) => field instanceof Uint8Array);
const hexAt = (fields: Map<number, Field[]>, number: number) =>
  Buffer.from(bytesAt(fields, number)[0] ?? []).toString('hex');
const textAt = (fields: Map<number, Field[]>, number: number) =>
  Buffer.from(bytesAt(fields, number)[0] ?? []).toString('utf8');
const integerAt = (fields: Map<number, Field[]>, number: number) => {
  const [value] = fields.get(number) ?? [];
  return typeof value === 'bigint' ? value : 0n;
};

function attributesOf(messages: readonly Uint8Array[]): Record<string, string | number> {
  const pairs = messages.map((message) => {
    const pair = fieldsOf(message);
    const value = fieldsOf(bytesAt(pair, 2)[0] ?? new Uint8Array());
    return [textAt(pair, 1), value.has(1) ? textAt(value, 1) : Number(integerAt(value, 3))] as const;
  });
  return Object.fromEntries(pairs);
}

function spanOf(message: Uint8Array): ReceivedSpan {
  const span = fieldsOf(message);
  return {
    traceId: hexAt(span, 1),
    spanId: hexAt(span, 2),
    traceState: textAt(span, 3),
    parentSpanId: hexAt(span, 4),
    name: textAt(span, 5),
    kind: Number(integerAt(span, 6)),
    startNs: integerAt(span, 7),
    endNs: integerAt(span, 8),
    attributes: attributesOf(bytesAt(span, 9)),
    status: Number(integerAt(fieldsOf(bytesAt(span, 15)[0] ?? new Uint8Array()), 3)),
  };
}

/** `ExportTraceServiceRequest` of OTLP 1.x: resources, in them scopes, in them spans. */
function readExport(body: Uint8Array) {
  const spans: ReceivedSpan[] = [];
  let resource: Record<string, string | number> = {};
  for (const resourceSpans of bytesAt(fieldsOf(body), 1).map(fieldsOf)) {
    resource = attributesOf(bytesAt(fieldsOf(bytesAt(resourceSpans, 1)[0] ?? new Uint8Array()), 1));
    for (const scopeSpans of bytesAt(resourceSpans, 2).map(fieldsOf)) spans.push(...bytesAt(scopeSpans, 2).map(spanOf));
  }
  return { resource, spans };
}

/** A collector that speaks OTLP over HTTP: keeps what it is sent. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, string | number>[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const found = readExport(Buffer.concat(parts));
    spans.push(...found.spans);
    resources.push(found.resource);
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, resources, close: () => server.close() };
}
