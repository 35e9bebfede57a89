import { createHubClient } from '../../hub/hub-client.ts';
import { readHubEnvironment } from '../../hub/hub-environment.ts';
import { describeConnectionFailure } from '../../hub/hub-failure.ts';
import { type Examination, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5000;
/** The hub's route that says whose a token is. */
const WHOAMI = '/api/whoami-v2';

export const examineHub: Examination = async (environment) => {
  const hub = readHubEnvironment(environment);
  if (hub.offline) return [ok('Hub', 'HF_HUB_OFFLINE is set: models come from folders and the cache alone')];
  const client = await createHubClient(hub, TIMEOUT_MS);
  try {
    const reply = await client.get(WHOAMI, {}, AbortSignal.timeout(TIMEOUT_MS));
    await reply.body.dump();
    if (hub.token === undefined) return [ok('Hub', `${hub.endpoint} answers; no token, so only public models`)];
    if (reply.statusCode === 200) return [ok('Hub', `${hub.endpoint} answers and knows the token`)];
    const found = `${hub.endpoint} answers ${reply.statusCode} to the token`;
    return [warning('Hub', found, 'renew HF_TOKEN or the token file, or remove it')];
  } catch (error) {
    const subject = { id: 'any', revision: 'main', endpoint: hub.endpoint, hasToken: hub.token !== undefined };
    const { message } = describeConnectionFailure(error, subject);
    const advice = 'cached and bundled models are served; set HF_HUB_OFFLINE=1 where there is never a network';
    return [warning('Hub', message.replace(/^model 'any': /, ''), advice)];
  } finally {
    await client.close();
  }
};
