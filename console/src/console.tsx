import { Suspense } from 'react'
import { Link, Route, Router, Switch } from 'wouter'
import { SCREENS } from './screens.tsx'
import { Shell } from './shell.tsx'
import { Empty, Skeleton } from './ui/parts.tsx'

export function Console() {
  return (
    <Router base="/console">
      <Shell>
        <Suspense fallback={<Skeleton what="the screen" />}>
          <Switch>
            {SCREENS.flatMap(({ path, component, deeper }) => [
              <Route key={path} path={path} component={component} />,
              ...(deeper ? [<Route key={deeper.path} path={deeper.path} component={deeper.component} />] : []),
            ])}
            <Route>
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
