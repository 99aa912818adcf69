import { Suspense } from 'react'
import { Link, Route, Router, Switch } from 'wouter'
import { SCREENS } from './screens.tsx'
import { Shell } from './shell.tsx'
import { Empty, ScreenHead, Skeleton } from './ui/parts.tsx'

export function Console() {
  return (
    <Router base="/console">
      <Shell>
        <Suspense fallback={<ScreenOnItsWay />}>
          <Switch>
            {SCREENS.flatMap(({ path, component, deeper }) => [
              <Route key={path} path={path} component={component} />,
              ...(deeper ? [<Route key={deeper.path} path={deeper.path} component={deeper.component} />] : []),
            ])}
            <Route>
              <ScreenHead title="Nothing here" />
              <Empty title="There is no such screen" action={<Link href="/">Resolve a domain</Link>}>
                The address may be mistyped, or the thing it named is gone.
              </Empty>
            </Route>
          </Switch>
        </Suspense>
      </Shell>
    </Router>
  )
}

function ScreenOnItsWay() {
  return (
    <div className="stack">
      <ScreenHead title="One moment" />
      <Skeleton what="the screen" />
    </div>
  )
}
