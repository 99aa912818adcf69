import { type ComponentType, lazy, useState } from 'react'
import type { IconName } from '../../src/lib/design/icons.ts'
import { ResolveScreen } from './screens/resolve/resolve-screen.tsx'
import { DESK_KEYS } from './screens/review/desk-keys.ts'

export interface Screen {
  name: string
  icon: IconName
  /** Below /console. */
  path: string
  /** Pressed after G. */
  key: string
  group: 'Find' | 'Follow' | 'Account'
  component: ComponentType
  /** The screen of one item, opened from the list: `:id` below `path`. */
  deeper?: ComponentType
  /** The screen of an item of another kind that opens from there: `:id` below a path of its own. */
  beside?: { path: string; component: ComponentType }
  /** Keys that work on this screen alone. */
  keys?: ReadonlyArray<readonly [key: string, does: string]>
}

/** A screen in a file of its own. With `fetch` called before, it is drawn at once; a lazy component would show a fallback first. */
function load<Name extends string>(name: Name, open: () => Promise<Record<Name, ComponentType>>) {
  let fetched: ComponentType | null = null
  const fetch = async () => {
    fetched = (await open())[name]
    return { default: fetched }
  }
  const Lazy = lazy(fetch)
  const Screen = () => {
    const [Component] = useState<ComponentType>(() => fetched ?? Lazy)
    return <Component />
  }
  return Object.assign(Screen, { fetch })
}

const CompaniesScreen = load('CompaniesScreen', () => import('./screens/companies/companies-screen.tsx'))
const CompanyScreen = load('CompanyScreen', () => import('./screens/companies/company-screen.tsx'))
const OfficerScreen = load('OfficerScreen', () => import('./screens/officers/officer-screen.tsx'))
const BulkScreen = load('BulkScreen', () => import('./screens/bulk/bulk-screen.tsx'))
const BulkProgressScreen = load('BulkProgressScreen', () => import('./screens/bulk/bulk-progress-screen.tsx'))
const ResolutionsScreen = load('ResolutionsScreen', () => import('./screens/resolutions/resolutions-screen.tsx'))
const ResolutionScreen = load('ResolutionScreen', () => import('./screens/resolutions/resolution-screen.tsx'))
const ReviewDesk = load('ReviewDesk', () => import('./screens/review/review-desk.tsx'))
const WatchlistScreen = load('WatchlistScreen', () => import('./screens/watchlist/watchlist-screen.tsx'))
const SignalsScreen = load('SignalsScreen', () => import('./screens/signals/signals-screen.tsx'))
const WebhooksScreen = load('WebhooksScreen', () => import('./screens/webhooks/webhooks-screen.tsx'))
const DestinationScreen = load('DestinationScreen', () => import('./screens/webhooks/destination-screen.tsx'))
const UsageScreen = load('UsageScreen', () => import('./screens/usage/usage-screen.tsx'))
const KeysScreen = load('KeysScreen', () => import('./screens/keys/keys-screen.tsx'))
const AuditScreen = load('AuditScreen', () => import('./screens/audit/audit-screen.tsx'))
const SettingsScreen = load('SettingsScreen', () => import('./screens/settings/settings-screen.tsx'))

/** All screens in menu order. All except the first are loaded on demand. */
export const SCREENS: readonly Screen[] = [
  { name: 'Resolve', icon: 'search', path: '/', key: 'r', group: 'Find', component: ResolveScreen },
  {
    name: 'Companies',
    icon: 'building',
    path: '/companies',
    key: 'c',
    group: 'Find',
    component: CompaniesScreen,
    deeper: CompanyScreen,
    beside: { path: '/officers', component: OfficerScreen },
  },
  {
    name: 'Bulk',
    icon: 'table',
    path: '/bulk',
    key: 'b',
    group: 'Find',
    component: BulkScreen,
    deeper: BulkProgressScreen,
  },
  {
    name: 'History',
    icon: 'file-check',
    path: '/resolutions',
    key: 'y',
    group: 'Find',
    component: ResolutionsScreen,
    deeper: ResolutionScreen,
  },
  {
    name: 'Review',
    icon: 'list',
    path: '/review',
    key: 'v',
    group: 'Find',
    component: ReviewDesk,
    deeper: ReviewDesk,
    keys: DESK_KEYS,
  },
  { name: 'Watchlist', icon: 'eye', path: '/watchlist', key: 'w', group: 'Follow', component: WatchlistScreen },
  { name: 'Signals', icon: 'alarm', path: '/signals', key: 's', group: 'Follow', component: SignalsScreen },
  {
    name: 'Webhooks',
    icon: 'webhook',
    path: '/webhooks',
    key: 'h',
    group: 'Follow',
    component: WebhooksScreen,
    deeper: DestinationScreen,
  },
  { name: 'Usage', icon: 'chart', path: '/usage', key: 'u', group: 'Account', component: UsageScreen },
  { name: 'Keys and agents', icon: 'key', path: '/keys', key: 'k', group: 'Account', component: KeysScreen },
  { name: 'Audit log', icon: 'fingerprint', path: '/audit', key: 'a', group: 'Account', component: AuditScreen },
  { name: 'Settings', icon: 'settings', path: '/settings', key: 't', group: 'Account', component: SettingsScreen },
]

export function isWithin({ path, beside }: Screen, here: string): boolean {
  if (beside && here.startsWith(`${beside.path}/`)) return true
  return path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`)
}

function findComponent({ path, component, deeper, beside }: Screen, here: string): ComponentType {
  if (beside && here.startsWith(`${beside.path}/`)) return beside.component
  return here !== path && deeper ? deeper : component
}

/** Loads the file of the screen at an address below /console. */
export async function fetchScreen(here: string): Promise<void> {
  const screen = SCREENS.find((each) => isWithin(each, here))
  const component = screen && findComponent(screen, here)
  if (component && 'fetch' in component) await (component as ReturnType<typeof load>).fetch()
}
