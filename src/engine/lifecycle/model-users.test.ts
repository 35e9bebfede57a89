import { expect, test, vi } from 'vitest';
import { ServiceError } from '../../contracts/errors.ts';
import { ModelUsers } from './model-users.ts';

function users({ waitMs = 60_000 } = {}) {
  const onWanted = vi.fn();
  return { onWanted, users: new ModelUsers<string>({ servedName: 'm', waitMs, onWanted, nowMs: () => 7 }) };
}
const signal = () => new AbortController().signal;

test('a model in memory is had at once, and nothing is asked for', async () => {
  const { users: model, onWanted } = users();
  model.enter('loaded');
  const lease = model.take();
  expect([lease?.model, model.isInUse, onWanted.mock.calls.length]).toEqual(['loaded', true, 0]);
  lease?.release();
  expect(model.isInUse).toBe(false);
});

test('a model that is not there is asked for, and whoever waits has it before it can be dropped', async () => {
  const { users: model, onWanted } = users();
  const waiting = [model.wait(signal()), model.wait(signal())];
  expect(onWanted).toHaveBeenCalledTimes(2);
  model.enter('loaded');
  const left = vi.fn();
  const leaving = model.leave().then(left);
  const leases = await Promise.all(waiting);
  expect(left).not.toHaveBeenCalled();
  for (const { release } of leases) {
    release();
    release();
  }
  await leaving;
});

test('who comes while a model is on its way out waits for the next one', async () => {
  const { users: model } = users();
  model.enter('first');
  const lease = model.take();
  const gone = model.leave();
  const next = model.wait(signal());
  model.enter('second');
  expect((await next).model).toBe('second');
  lease?.release();
  await gone;
  expect(model.isInUse).toBe(true);
});

test('a request that waits gets the reason when the model does not come', async () => {
  const { users: model } = users();
  const waiting = model.wait(signal());
  model.refuse(new ServiceError('model_failed', 'no'));
  await expect(waiting).rejects.toMatchObject({ code: 'model_failed' });
});

test('a request does not wait longer than the bound, and is told when to come again', async () => {
  const { users: model } = users({ waitMs: 1 });
  await expect(model.wait(signal())).rejects.toMatchObject({ code: 'model_loading', retryAfterS: 5 });
});

test('a request whose client has gone does not wait, and does not have the model later', async () => {
  const { users: model } = users();
  const client = new AbortController();
  const waiting = model.wait(client.signal);
  client.abort(new ServiceError('request_cancelled', 'gone'));
  await expect(waiting).rejects.toMatchObject({ code: 'request_cancelled' });
  await expect(model.wait(client.signal)).rejects.toMatchObject({ code: 'request_cancelled' });
  model.enter('loaded');
  expect(model.isInUse).toBe(false);
});
