// Holds deploy/ to what the programs say that read it: hadolint for the Dockerfile, the schema of the Compose specification,
// haproxy, promtool, and Helm with the schemas of Kubernetes for what the chart renders to. A program that cannot be had is skipped
// with a message. Usage: node scripts/check-deploy.mjs (after npm run build)
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { parseConfig } from '../dist/settings/parse-config.js';
import { parseSettings } from '../dist/settings/parse-settings.js';
import { ACCEPTED, REFUSED } from '../test/deploy/helm-cases.mjs';
import { findHelm } from './find-helm.mjs';
import { preparePython, RESULTS } from './python-environment.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CHART = path.join(ROOT, 'deploy/helm/infinity');
/** The oldest that the chart is for, and the newest whose schemas there are. */
const KUBERNETES_VERSIONS = ['1.25.0', '1.37.0'];

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`, stdout };
}

function report(name, { ok, output }) {
  console.log(`deploy: ${name}: ${ok ? 'ok' : 'FAILED'}`);
  if (ok) return;
  console.error(output);
  process.exitCode = 1;
}

const skip = (name, reason) => console.log(`deploy: ${name}: skipped, ${reason}.`);

/** What a function throws, in the form of a program's result. */
function holds(check) {
  try {
    check();
    return { ok: true, output: '' };
  } catch (error) {
    return { ok: false, output: String(error) };
  }
}

function checkFiles(bin) {
  report('Dockerfile', run(path.join(bin, 'hadolint'), 'deploy/docker/Dockerfile'));
  const composeFiles = readdirSync(path.join(ROOT, 'deploy/compose')).filter((name) => name.endsWith('.yml'));
  const schema = ['--builtin-schema', 'vendor.compose-spec'];
  const paths = composeFiles.map((name) => `deploy/compose/${name}`);
  report('compose files', run(path.join(bin, 'check-jsonschema'), ...schema, ...paths));
}

function checkHaproxy() {
  if (!run('haproxy', '-v').ok) return skip('haproxy.cfg', 'there is no haproxy');
  return report('haproxy.cfg', run('haproxy', '-c', '-f', 'deploy/compose/haproxy.cfg'));
}

function checkAlerts() {
  if (!run('promtool', '--version').ok) return skip('alerts.yml', 'there is no promtool');
  return report('alerts.yml', run('promtool', 'check', 'rules', 'deploy/prometheus/alerts.yml'));
}

/** The server must take the configuration that the chart hands it. */
function checkConfig({ ConfigMap }) {
  parseSettings({}, {}, parseConfig(ConfigMap.data['infinity.yaml'], 'infinity.yaml'));
}

function checkChart(helm, kubernetesValidate) {
  const newest = ['--kube-version', KUBERNETES_VERSIONS.at(-1)];
  report('chart: lint', run(helm, 'lint', '--strict', ...newest, CHART));
  for (const [index, { name, values, check }] of ACCEPTED.entries()) {
    const file = path.join(RESULTS, `helm-values-${index}.json`);
    writeFileSync(file, JSON.stringify(values));
    const rendered = run(helm, 'template', 'release', CHART, ...newest, '--values', file);
    report(`chart, ${name}: renders`, rendered);
    if (!rendered.ok) continue;
    const documents = parseAllDocuments(rendered.stdout).map((document) => document.toJS());
    const manifests = Object.fromEntries(documents.map((document) => [document.kind, document]));
    report(
      `chart, ${name}: is as expected`,
      holds(() => {
        check(manifests);
        checkConfig(manifests);
      }),
    );
    if (kubernetesValidate === undefined) continue;
    const manifestFile = path.join(RESULTS, `helm-manifests-${index}.yaml`);
    writeFileSync(manifestFile, rendered.stdout);
    for (const version of KUBERNETES_VERSIONS) {
      const result = run(kubernetesValidate, '--strict', '-k', version, manifestFile);
      report(`chart, ${name}: fits the schemas of Kubernetes ${version}`, result);
    }
  }
  for (const { name, values, message } of REFUSED) {
    const file = path.join(RESULTS, 'helm-values-refused.json');
    writeFileSync(file, JSON.stringify(values));
    const { ok, output } = run(helm, 'template', 'release', CHART, ...newest, '--values', file);
    report(`chart, ${name}: is refused`, { ok: !ok && message.test(output), output });
  }
}

mkdirSync(RESULTS, { recursive: true });
const tools = preparePython('deploy-tools', path.join(ROOT, 'test/deploy/requirements.txt'));
if ('problem' in tools) skip("Dockerfile, compose files, Kubernetes' schemas", tools.problem);
else checkFiles(tools.bin);
checkHaproxy();
checkAlerts();
const found = findHelm();
if ('problem' in found) skip('chart', found.problem);
else checkChart(found.helm, 'bin' in tools ? path.join(tools.bin, 'kubernetes-validate') : undefined);
