import { Suspense } from 'react'
import { Link, Route, Router, Switch } from 'wouter'
import { useIsSettled } from './account.ts'
import { SCREENS } from './screens.tsx'
import { Shell } from './shell.tsx'
import { Empty, ScreenHead, Skeleton } from './ui/parts.tsx'

export function Console() {
  return (
    <Router base="/console">
      <Shell>
        <Suspense fallback={<LoadingScreen />}>
          <Screens />
        </Suspense>
      </Shell>
    </Router>
  )
}

function Screens() {
  if (!useIsSettled()) return <LoadingScreen />
  return (
    <Switch>
      {SCREENS.flatMap(({ path, component, deeper, beside }) => [
        <Route key={path} path={path} component={component} />,
        ...(deeper ? [<Route key={`${path}/:id`} path={`${path}/:id`} component={deeper} />] : []),
        ...(beside ? [<Route key={beside.path} path={`${beside.path}/:id`} component={beside.component} />] : []),
      ])}
      <Route>
        <ScreenHead title="Page not found" />
        <Empty title="This page does not exist" action={<Link href="/">Resolve a domain</Link>}>
          Check the address. The page may have been removed.
        </Empty>
      </Route>
    </Switch>
  )
}

function LoadingScreen() {
  return (
    <div className="stack">
      <ScreenHead title="Loading" />
      <Skeleton what="the screen" />
    </div>
  )
}
