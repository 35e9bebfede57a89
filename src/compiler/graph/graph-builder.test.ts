import { expect, test } from 'vitest';
import { GraphBuilder, widthOf } from './graph-builder.ts';

const weight = { name: 'w', dims: [4], chunks: () => [new Float32Array(4)] };

test('nodes name what they take and what they give', () => {
  const g = new GraphBuilder();
  const x = g.input('x', 'FLOAT', ['batch', 4]);
  const sum = g.node('Add', [x, g.constant(weight)]);
  const last = g.node('Op', [sum, undefined, x], {
    domain: 'com.microsoft',
    dims: ['batch'],
    attributes: { k: { int: 1 } },
  });
  g.output('y', last);
  expect(g.build()).toEqual({
    inputs: [{ name: 'x', elementType: 'FLOAT', dims: ['batch', 4] }],
    nodes: [
      { name: 'Add_0', operator: 'Add', domain: '', inputs: ['x', 'w'], outputs: ['Add_0'], attributes: {} },
      {
        name: 'Op_1',
        operator: 'Op',
        domain: 'com.microsoft',
        inputs: ['Add_0', '', 'x'],
        outputs: ['Op_1'],
        attributes: { k: { int: 1 } },
      },
      { name: 'y', operator: 'Identity', domain: '', inputs: ['Op_1'], outputs: ['y'], attributes: {} },
    ],
    constants: [weight],
    outputs: [{ name: 'y', elementType: 'FLOAT', dims: ['batch'] }],
  });
});

test('an operator may have two results', () => {
  const g = new GraphBuilder();
  const x = g.input('x', 'FLOAT', ['batch', 4]);
  const [values, indices] = g.nodeOfTwo(
    'TopK',
    [x],
    [
      ['batch', 2],
      ['batch', 1],
    ],
  );
  expect([values.dims, indices.dims]).toEqual([
    ['batch', 2],
    ['batch', 1],
  ]);
  expect(g.build().nodes[0]?.outputs).toEqual([values.name, indices.name]);
});

test('a constant that is asked for twice is there once', () => {
  const g = new GraphBuilder();
  g.constant(weight);
  g.constant(weight);
  g.integers([0]);
  g.integers([0]);
  g.integers([0, 1]);
  expect(g.build().constants.map(({ name }) => name)).toEqual(['w', 'integers:0', 'integers:0,1']);
});

test('a layer that needs a width is told when there is none', () => {
  expect(widthOf({ name: 'x', dims: ['batch', 4] })).toBe(4);
  expect(() => widthOf({ name: 'x', dims: ['batch', 'sequence'] })).toThrow(/'x' has shape \[batch, sequence\]/);
});

test('an input is found again by its name', () => {
  const g = new GraphBuilder();
  const ids = g.input('input_ids', 'INT32', ['batch', 'sequence']);
  expect(g.inputNamed('input_ids')).toEqual(ids);
  expect(() => g.inputNamed('other')).toThrow("the graph has no input 'other'");
});
