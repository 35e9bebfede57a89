// Values with which the chart is rendered, and what must be true of the result beside Kubernetes' own schemas.
import assert from 'node:assert/strict';

/** @typedef {Record<string, any>} Manifest  A rendered document, by its kind in `manifests`. */

const container = ({ Deployment }) => Deployment.spec.template.spec.containers[0];

/** @type {readonly { name: string, values: object, check: (manifests: Record<string, Manifest>) => void }[]} */
export const ACCEPTED = [
  {
    name: 'as it comes',
    values: {},
    check: (manifests) => {
      assert.deepEqual(Object.keys(manifests).sort(), [
        'ConfigMap',
        'Deployment',
        'NetworkPolicy',
        'PersistentVolumeClaim',
        'PodDisruptionBudget',
        'Service',
      ]);
      const { Deployment, Service, NetworkPolicy } = manifests;
      const pod = Deployment.spec.template;
      assert.deepEqual(Service.spec.selector, Deployment.spec.selector.matchLabels);
      assert.deepEqual(NetworkPolicy.spec.podSelector.matchLabels, Deployment.spec.selector.matchLabels);
      for (const [label, value] of Object.entries(Service.spec.selector))
        assert.equal(pod.metadata.labels[label], value);
      // One claim that one pod can mount: the old pod must be gone before the new one starts.
      assert.deepEqual(Deployment.spec.strategy, { type: 'Recreate' });
      const { readinessProbe, livenessProbe, securityContext } = container(manifests);
      assert.equal(readinessProbe.httpGet.path, '/ready');
      assert.equal(livenessProbe.httpGet.path, '/health');
      assert.equal(securityContext.readOnlyRootFilesystem, true);
      assert.equal(manifests.ConfigMap.data['infinity.yaml'].trim(), '{}');
    },
  },
  {
    name: 'replicas that scale with the queue',
    values: {
      autoscaling: { enabled: true, queuedTokens: 1_500_000, cpuUtilization: 80 },
      cache: { accessModes: ['ReadWriteMany'], storageClass: 'shared' },
      settings: { 'max-queued-tokens': 2_097_152, 'body-limit': 67_108_864, 'log-level': 'warning' },
    },
    check: (manifests) => {
      assert.equal(manifests.Deployment.spec.replicas, undefined);
      assert.equal(manifests.Deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
      const [queue, cpu] = manifests.HorizontalPodAutoscaler.spec.metrics;
      assert.equal(queue.pods.metric.name, 'infinity_queued_tokens');
      assert.equal(queue.pods.target.averageValue, '1500000');
      assert.equal(cpu.resource.target.averageUtilization, 80);
      assert.match(manifests.ConfigMap.data['infinity.yaml'], /^max-queued-tokens: 2097152$/m);
    },
  },
  {
    name: 'secrets of its own, two models, no cache, a GPU',
    values: {
      replicaCount: 3,
      secret: { apiKey: 'k: "quoted"', hfToken: 'hf_token', vectorCacheUrl: 'rediss://:word@cache:6379/0' },
      cache: { enabled: false },
      settings: {
        'request-timeout': 30,
        models: [{ 'model-id': 'BAAI/bge-m3', dtype: 'int8' }, { 'model-id': 'BAAI/bge-reranker-base' }],
      },
      resources: { limits: { 'nvidia.com/gpu': 1 } },
      runtimeClassName: 'nvidia',
      extraEnv: [{ name: 'HF_HUB_OFFLINE', value: '1' }],
      extraVolumes: [{ name: 'keys', secret: { secretName: 'keys' } }],
      extraVolumeMounts: [{ name: 'keys', mountPath: '/etc/keys', readOnly: true }],
      podAnnotations: { 'prometheus.io/scrape': 'true' },
      networkPolicy: { from: [{ namespaceSelector: { matchLabels: { team: 'search' } } }] },
    },
    check: (manifests) => {
      assert.equal(manifests.Deployment.spec.replicas, 3);
      assert.equal(Buffer.from(manifests.Secret.data['api-key'], 'base64').toString(), 'k: "quoted"');
      assert.ok(container(manifests).env.some(({ name, value }) => name === 'HF_HUB_OFFLINE' && value === '1'));
      assert.equal(container(manifests).volumeMounts.at(-1).mountPath, '/etc/keys');
      assert.equal(manifests.Deployment.spec.template.spec.volumes.at(-1).secret.secretName, 'keys');
      assert.equal(manifests.PersistentVolumeClaim, undefined);
      assert.deepEqual(manifests.NetworkPolicy.spec.ingress[0].from[0].namespaceSelector.matchLabels, {
        team: 'search',
      });
    },
  },
  {
    name: 'TLS',
    values: { settings: { 'ssl-certfile': '/etc/tls/tls.crt', 'ssl-keyfile': '/etc/tls/tls.key' } },
    check: (manifests) => {
      const { readinessProbe, livenessProbe, startupProbe } = container(manifests);
      for (const probe of [readinessProbe, livenessProbe, startupProbe]) assert.equal(probe.httpGet.scheme, 'HTTPS');
      assert.equal(readinessProbe.httpGet.path, '/ready');
    },
  },
  {
    name: 'TLS with certificates of clients, which probes have not',
    values: { settings: { 'ssl-certfile': '/etc/tls/tls.crt', 'ssl-ca-certs': '/etc/tls/ca.crt' } },
    check: (manifests) => assert.deepEqual(container(manifests).readinessProbe.tcpSocket, { port: 'http' }),
  },
  {
    name: 'a secret and a claim that are there already, and nothing optional',
    values: {
      secret: { existingSecret: 'keys' },
      cache: { existingClaim: 'models' },
      podDisruptionBudget: { enabled: false },
      networkPolicy: { enabled: false },
    },
    check: (manifests) => {
      assert.deepEqual(Object.keys(manifests).sort(), ['ConfigMap', 'Deployment', 'Service']);
      for (const { valueFrom } of container(manifests).env) {
        if (valueFrom !== undefined) assert.equal(valueFrom.secretKeyRef.name, 'keys');
      }
    },
  },
];

/** @type {readonly { name: string, values: object, message: RegExp }[]} */
export const REFUSED = [
  { name: 'a misspelt setting', values: { settings: { 'batch-sice': 8 } }, message: /batch-sice/ },
  { name: 'a misspelt value', values: { replicas: 2 }, message: /replicas/ },
  { name: 'several replicas with a claim that one pod mounts', values: { replicaCount: 2 }, message: /ReadWriteMany/ },
  {
    name: 'scaling by nothing',
    values: { autoscaling: { enabled: true, queuedTokens: 0 }, cache: { enabled: false } },
    message: /queuedTokens/,
  },
];
