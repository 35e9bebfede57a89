import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

export function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}

export function integer(writer: BinaryWriter, field: number, value: number): void {
  writer.tag(field, WireType.Varint).int64(value);
}

export function bytes(writer: BinaryWriter, field: number, value: Uint8Array): void {
  writer.tag(field, WireType.LengthDelimited).bytes(value);
}

export function message(writer: BinaryWriter, field: number, write: (writer: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}
