import type { Manifest } from './kustomize.ts'

interface Probe {
  httpGet: { path: string; port: string }
}

interface Container {
  name: string
  image: string
  args?: string[]
  env?: Array<{ name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }>
  envFrom?: Array<{ configMapRef?: { name: string }; secretRef?: { name: string } }>
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  lifecycle?: { preStop?: { exec?: { command: string[] } } }
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  securityContext?: {
    allowPrivilegeEscalation?: boolean
    readOnlyRootFilesystem?: boolean
    capabilities?: { drop?: string[] }
  }
}

interface PodSpec {
  containers: Container[]
  automountServiceAccountToken?: boolean
  terminationGracePeriodSeconds?: number
  topologySpreadConstraints?: unknown[]
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } }
}

interface PodTemplate {
  metadata: { labels: Record<string, string> }
  spec: PodSpec
}

export interface Workload {
  kind: string
  name: string
  labels: Record<string, string>
  pod: PodSpec
  container: Container
}

/** A request may be waited for this long, and it takes so long until balancers know that a pod leaves. */
const REQUEST_SECONDS_MAX = 75
const GRACE_SECONDS = 25

/** Everything that starts pods. */
export function listWorkloads(manifests: readonly Manifest[]): Workload[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    const template = templateOf(kind, spec)
    const container = template?.spec.containers[0]
    if (!template || !container) return []
    return [{ kind, name: metadata.name, labels: template.metadata.labels, pod: template.spec, container }]
  })
}

function templateOf(kind: string, spec: Record<string, unknown> | undefined): PodTemplate | null {
  if (kind === 'Deployment' || kind === 'Job') return spec?.['template'] as PodTemplate
  if (kind !== 'CronJob') return null
  const job = spec?.['jobTemplate'] as { spec: { template: PodTemplate } } | undefined
  return job?.spec.template ?? null
}

/** Lists what Kubernetes would accept and we would regret. */
export function findWorkloadProblems(manifests: readonly Manifest[]): string[] {
  const workloads = listWorkloads(manifests)
  const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget').map(({ metadata }) => metadata.name)
  const denied = manifests.some(
    ({ kind, spec }) => kind === 'NetworkPolicy' && Object.keys(spec?.['podSelector'] as object).length === 0,
  )
  return [
    ...workloads.flatMap((workload) => failing(workload.name, hardening(workload))),
    ...workloads
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap((workload) =>
        failing(workload.name, [...running(workload), [budgets.includes(workload.name), 'a disruption leaves some']]),
      ),
    ...failing('network', [[denied, 'what is not allowed is denied']]),
  ]
}

type Rule = [holds: boolean, rule: string]

const failing = (name: string, rules: readonly Rule[]) =>
  rules.filter(([holds]) => !holds).map(([, rule]) => `${name}: not so: ${rule}`)

function hardening({ pod, container }: Workload): Rule[] {
  const { securityContext: own, resources } = container
  return [
    [pod.securityContext?.runAsNonRoot === true, 'it does not run as root'],
    [(pod.securityContext?.runAsUser ?? 0) > 0, 'its user is a number'],
    [pod.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'its system calls are filtered'],
    [pod.automountServiceAccountToken === false, 'it has no token of Kubernetes'],
    [own?.allowPrivilegeEscalation === false, 'it gains no privileges'],
    [own?.readOnlyRootFilesystem === true, 'its root is read-only'],
    [own?.capabilities?.drop?.join() === 'ALL', 'it drops every capability'],
    [resources?.requests?.['cpu'] !== undefined && resources.limits?.['memory'] !== undefined, 'its needs are said'],
  ]
}

function running({ pod, container, labels }: Workload): Rule[] {
  const isApi = labels['app.kubernetes.io/component'] === 'api'
  const pauseSeconds = Number(container.lifecycle?.preStop?.exec?.command[1] ?? 0)
  const neededSeconds = (isApi ? REQUEST_SECONDS_MAX : GRACE_SECONDS) + pauseSeconds + 10
  return [
    [container.startupProbe?.httpGet.path === '/livez', 'its start is looked at'],
    [container.livenessProbe?.httpGet.path === '/livez', 'it is not ended because the database is away'],
    [container.readinessProbe?.httpGet.path === '/readyz', 'it gets requests when it is ready'],
    [!isApi || pauseSeconds >= 5, 'balancers hear of its end before it stops listening'],
    [(pod.terminationGracePeriodSeconds ?? 0) >= neededSeconds, `it has ${neededSeconds} seconds to finish`],
    [(pod.topologySpreadConstraints?.length ?? 0) >= 2, 'its pods are spread over zones and machines'],
  ]
}
