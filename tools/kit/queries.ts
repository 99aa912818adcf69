import { readAlerts } from './alerts.ts'
import { readDashboard } from './dashboard.ts'
import { DEPLOY, readYaml } from './repository.ts'

export interface Query {
  where: string
  expr: string
}

export interface Matcher {
  label: string
  operator: '=' | '!=' | '=~' | '!~'
  value: string
}

/** One metric as a query names it. */
export interface Selector {
  metric: string
  matchers: Matcher[]
}

interface Scaler {
  triggers: Array<{ metadata: { query: string } }>
}

/** Everything the kit asks Prometheus: alerts, dashboard, scaling. */
export function listQueries(): Query[] {
  const scaling = readYaml(DEPLOY, 'kubernetes/overlays/production/worker-scaling.yaml') as { spec: Scaler }
  return [
    ...readAlerts().map(({ alert, expr }) => ({ where: alert, expr })),
    ...readDashboard().panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ where: `dashboard, ${title}`, expr })),
    ),
    ...scaling.spec.triggers.map(({ metadata }) => ({ where: 'worker scaling', expr: metadata.query })),
  ]
}

const SELECTOR = /\b((?:nameplate|nodejs|process)_[a-z0-9_]+)\b(?:\{([^}]*)\})?/g
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g

export function listSelectors({ expr }: Query): Selector[] {
  return [...expr.matchAll(SELECTOR)].map(([, metric = '', body = '']) => ({
    metric,
    matchers: [...body.matchAll(MATCHER)].map(([, label = '', operator, value = '']) => ({
      label,
      operator: operator as Matcher['operator'],
      value: value.replaceAll('\\\\', '\\'),
    })),
  }))
}

/** The labels by which a query groups or joins. */
export function listGroupings({ expr }: Query): string[] {
  return [...expr.matchAll(/\b(?:by|on|without)\s*\(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/))
}
