import { PickleCursor, PickleError } from './pickle-cursor.ts';
import type { PickleDict, PickleList, PickleValue } from './pickle-value.ts';
import { callKnown, KNOWN_NAMES, storageOf } from './rebuild.ts';

/** The newest protocol whose instructions are known here; torch.save writes 2. */
const NEWEST_PROTOCOL = 5;

/** The reader's stack: values, and marks between them that later instructions go back to. */
class PickleStack {
  #values: PickleValue[] = [];
  readonly #marked: PickleValue[][] = [];
  readonly memo = new Map<number, PickleValue>();

  push(value: PickleValue): void {
    this.#values.push(value);
  }

  pop(): PickleValue {
    const value = this.#values.pop();
    if (value === undefined) throw new PickleError('takes a value from an empty stack');
    return value;
  }

  peek(): PickleValue {
    const value = this.pop();
    this.push(value);
    return value;
  }

  mark(): void {
    this.#marked.push(this.#values);
    this.#values = [];
  }

  /** All values since the last mark. */
  popToMark(): PickleValue[] {
    const values = this.#values;
    const earlier = this.#marked.pop();
    if (earlier === undefined) throw new PickleError('goes back to a mark that was not set');
    this.#values = earlier;
    return values;
  }

  remembered(index: number): PickleValue {
    const value = this.memo.get(index);
    if (value === undefined) throw new PickleError(`asks for value ${index}, which it has not kept`);
    return value;
  }
}

type Instruction = (stack: PickleStack, cursor: PickleCursor) => void;

const list = (items: PickleValue[]): PickleList => ({ kind: 'list', items });

function named(name: string): PickleValue {
  if (KNOWN_NAMES.has(name)) return { kind: 'name', name };
  throw new PickleError(`names '${name.slice(0, 200)}', which a file of weights has no use for`);
}

function asDict(value: PickleValue): PickleDict {
  if (typeof value === 'object' && value?.kind === 'dict') return value;
  throw new PickleError('sets an item of something that is not a dict');
}

function asList(value: PickleValue): PickleList {
  if (typeof value === 'object' && value?.kind === 'list') return value;
  throw new PickleError('appends to something that is not a list');
}

function reduce(stack: PickleStack): void {
  const args = asList(stack.pop()).items;
  const callee = stack.pop();
  const name = typeof callee === 'object' && callee?.kind === 'name' ? callee.name : 'a value';
  const result = callKnown(name, args);
  if (result === undefined) throw new PickleError(`calls '${name}' with arguments that it does not take`);
  stack.push(result);
}

function setItems(target: PickleValue, pairs: readonly PickleValue[]): void {
  const { entries } = asDict(target);
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    entries.set(pairs[index] ?? null, pairs[index + 1] ?? null);
  }
}

const constant =
  (value: PickleValue): Instruction =>
  (stack) =>
    stack.push(value);
const tuple =
  (size: number): Instruction =>
  (stack) => {
    stack.push(list(Array.from({ length: size }, () => stack.pop()).reverse()));
  };

/**
 * Every instruction that is followed, by its opcode. What is not here ends the reading: among others all that make objects
 * of classes (INST, OBJ, NEWOBJ, EXT) and PERSID.
 * Source: https://github.com/python/cpython/blob/v3.12.0/Lib/pickletools.py
 */
const INSTRUCTIONS: ReadonlyMap<number, Instruction> = new Map<number, Instruction>([
  [0x80, (_stack, cursor) => checkProtocol(cursor.byte())],
  [0x95, (_stack, cursor) => void cursor.unsigned64()], // FRAME
  [0x28, (stack) => stack.mark()], // MARK
  [0x30, (stack) => void stack.pop()], // POP
  [0x31, (stack) => void stack.popToMark()], // POP_MARK
  // Plain values
  [0x4e, constant(null)],
  [0x88, constant(true)],
  [0x89, constant(false)],
  [0x4a, (stack, cursor) => stack.push(cursor.take(4).readInt32LE(0))], // BININT
  [0x4b, (stack, cursor) => stack.push(cursor.unsigned(1))],
  [0x4d, (stack, cursor) => stack.push(cursor.unsigned(2))],
  [0x8a, (stack, cursor) => stack.push(cursor.long(cursor.unsigned(1)))], // LONG1
  [0x8b, (stack, cursor) => stack.push(cursor.long(cursor.unsigned(4)))],
  [0x47, (stack, cursor) => stack.push(cursor.take(8).readDoubleBE(0))], // BINFLOAT
  [0x58, (stack, cursor) => stack.push(cursor.text(cursor.unsigned(4)))], // BINUNICODE
  [0x8c, (stack, cursor) => stack.push(cursor.text(cursor.unsigned(1)))],
  [0x8d, (stack, cursor) => stack.push(cursor.text(cursor.unsigned64()))],
  [0x54, (stack, cursor) => stack.push(cursor.text(cursor.unsigned(4)))], // BINSTRING, of Python 2
  [0x55, (stack, cursor) => stack.push(cursor.text(cursor.unsigned(1)))],
  // Containers
  [0x29, (stack) => stack.push(list([]))], // EMPTY_TUPLE
  [0x85, tuple(1)],
  [0x86, tuple(2)],
  [0x87, tuple(3)],
  [0x74, (stack) => stack.push(list(stack.popToMark()))], // TUPLE
  [0x5d, (stack) => stack.push(list([]))], // EMPTY_LIST
  [0x61, (stack) => appendAll(stack, [stack.pop()])], // APPEND
  [0x65, (stack) => appendAll(stack, stack.popToMark())], // APPENDS
  [0x7d, (stack) => stack.push({ kind: 'dict', entries: new Map() })], // EMPTY_DICT
  [0x73, (stack) => setOne(stack)], // SETITEM
  [0x75, (stack) => setMany(stack)], // SETITEMS
  // The memo
  [0x71, (stack, cursor) => void stack.memo.set(cursor.unsigned(1), stack.peek())], // BINPUT
  [0x72, (stack, cursor) => void stack.memo.set(cursor.unsigned(4), stack.peek())],
  [0x94, (stack) => void stack.memo.set(stack.memo.size, stack.peek())], // MEMOIZE
  [0x68, (stack, cursor) => stack.push(stack.remembered(cursor.unsigned(1)))], // BINGET
  [0x6a, (stack, cursor) => stack.push(stack.remembered(cursor.unsigned(4)))],
  // Names, the known functions, and storages
  [0x63, (stack, cursor) => stack.push(named(`${cursor.line()}.${cursor.line()}`))], // GLOBAL
  [0x93, (stack) => stackGlobal(stack)], // STACK_GLOBAL
  [0x52, reduce], // REDUCE
  [0x62, (stack) => void stack.pop()], // BUILD: the attributes of a dict (its _metadata), which hold no weights
  [0x51, (stack) => persistentId(stack)], // BINPERSID
]);

const STOP = 0x2e;

/** Of those that are refused, the ones that are worth a name. */
const REFUSED_NAMES: ReadonlyMap<number, string> = new Map([
  [0x69, 'INST'],
  [0x6f, 'OBJ'],
  [0x81, 'NEWOBJ'],
  [0x92, 'NEWOBJ_EX'],
  [0x82, 'EXT1'],
  [0x83, 'EXT2'],
  [0x84, 'EXT4'],
  [0x50, 'PERSID'],
]);

function checkProtocol(protocol: number): void {
  if (protocol > NEWEST_PROTOCOL)
    throw new PickleError(`is of protocol ${protocol}, expected at most ${NEWEST_PROTOCOL}`);
}

function appendAll(stack: PickleStack, items: readonly PickleValue[]): void {
  const target = asList(stack.peek()).items;
  for (const item of items) target.push(item);
}

function setOne(stack: PickleStack): void {
  const value = stack.pop();
  const key = stack.pop();
  setItems(stack.peek(), [key, value]);
}

function setMany(stack: PickleStack): void {
  const pairs = stack.popToMark();
  setItems(stack.peek(), pairs);
}

function stackGlobal(stack: PickleStack): void {
  const name = stack.pop();
  const module = stack.pop();
  stack.push(named(`${String(module)}.${String(name)}`));
}

function persistentId(stack: PickleStack): void {
  const storage = storageOf(stack.pop());
  if (storage === undefined) throw new PickleError('refers to something that is not a storage of numbers');
  stack.push(storage);
}

/**
 * Reads a pickle that holds tensors and plain containers only. It is data here: no name is looked up, nothing is called,
 * and work and memory grow with its bytes alone. Throws `PickleError` at any other instruction or name.
 */
export function readPickle(bytes: Buffer): PickleValue {
  const cursor = new PickleCursor(bytes);
  const stack = new PickleStack();
  for (;;) {
    const at = cursor.position;
    const opcode = cursor.byte();
    if (opcode === STOP) return stack.pop();
    const instruction = INSTRUCTIONS.get(opcode);
    if (instruction === undefined) {
      const name = REFUSED_NAMES.get(opcode) ?? 'unknown to files of weights';
      throw new PickleError(`has instruction 0x${opcode.toString(16)} (${name}) at byte ${at}, which is not followed`);
    }
    instruction(stack, cursor);
  }
}
