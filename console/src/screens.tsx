import { type ComponentType, lazy } from 'react'
import { ResolveScreen } from './screens/resolve/resolve-screen.tsx'

export interface Screen {
  name: string
  /** Below /console. */
  path: string
  /** Pressed after G. */
  key: string
  group: 'Find' | 'Follow' | 'Account'
  component: ComponentType
  /** The screen of one item, opened from the list. */
  deeper?: { path: string; component: ComponentType }
}

const CompaniesScreen = lazy(() =>
  import('./screens/companies/companies-screen.tsx').then((m) => ({ default: m.CompaniesScreen })),
)
const CompanyScreen = lazy(() =>
  import('./screens/companies/company-screen.tsx').then((m) => ({ default: m.CompanyScreen })),
)
const BulkScreen = lazy(() => import('./screens/bulk/bulk-screen.tsx').then((m) => ({ default: m.BulkScreen })))
const BulkProgressScreen = lazy(() =>
  import('./screens/bulk/bulk-progress-screen.tsx').then((m) => ({ default: m.BulkProgressScreen })),
)
const ReviewScreen = lazy(() => import('./screens/review/review-screen.tsx').then((m) => ({ default: m.ReviewScreen })))
const DecideScreen = lazy(() => import('./screens/review/decide-screen.tsx').then((m) => ({ default: m.DecideScreen })))
const WatchlistScreen = lazy(() =>
  import('./screens/watchlist/watchlist-screen.tsx').then((m) => ({ default: m.WatchlistScreen })),
)
const SignalsScreen = lazy(() =>
  import('./screens/signals/signals-screen.tsx').then((m) => ({ default: m.SignalsScreen })),
)
const WebhooksScreen = lazy(() =>
  import('./screens/webhooks/webhooks-screen.tsx').then((m) => ({ default: m.WebhooksScreen })),
)
const DestinationScreen = lazy(() =>
  import('./screens/webhooks/destination-screen.tsx').then((m) => ({ default: m.DestinationScreen })),
)
const UsageScreen = lazy(() => import('./screens/usage/usage-screen.tsx').then((m) => ({ default: m.UsageScreen })))
const KeysScreen = lazy(() => import('./screens/keys/keys-screen.tsx').then((m) => ({ default: m.KeysScreen })))
const SettingsScreen = lazy(() =>
  import('./screens/settings/settings-screen.tsx').then((m) => ({ default: m.SettingsScreen })),
)

/** All screens in menu order. All except the first are loaded on demand. */
export const SCREENS: readonly Screen[] = [
  { name: 'Resolve', path: '/', key: 'r', group: 'Find', component: ResolveScreen },
  {
    name: 'Companies',
    path: '/companies',
    key: 'c',
    group: 'Find',
    component: CompaniesScreen,
    deeper: { path: '/companies/:number', component: CompanyScreen },
  },
  {
    name: 'Bulk',
    path: '/bulk',
    key: 'b',
    group: 'Find',
    component: BulkScreen,
    deeper: { path: '/bulk/:id', component: BulkProgressScreen },
  },
  {
    name: 'Review',
    path: '/review',
    key: 'v',
    group: 'Find',
    component: ReviewScreen,
    deeper: { path: '/review/:id', component: DecideScreen },
  },
  { name: 'Watchlist', path: '/watchlist', key: 'w', group: 'Follow', component: WatchlistScreen },
  { name: 'Signals', path: '/signals', key: 's', group: 'Follow', component: SignalsScreen },
  {
    name: 'Webhooks',
    path: '/webhooks',
    key: 'h',
    group: 'Follow',
    component: WebhooksScreen,
    deeper: { path: '/webhooks/:id', component: DestinationScreen },
  },
  { name: 'Usage', path: '/usage', key: 'u', group: 'Account', component: UsageScreen },
  { name: 'Keys and agents', path: '/keys', key: 'k', group: 'Account', component: KeysScreen },
  { name: 'Settings', path: '/settings', key: 't', group: 'Account', component: SettingsScreen },
]
