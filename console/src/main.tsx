import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { fetchAccount } from './account.ts'
import { ApiProblem } from './api/client.ts'
import { Console } from './console.tsx'
import { fetchScreen } from './screens.tsx'
import '../../src/lib/design/all.css'
import { readTheme, setTheme } from './ui/theme.ts'
import { ToastProvider } from './ui/toast.tsx'

const RETRIES_MAX = 2

setTheme(readTheme())

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < RETRIES_MAX && (!(error instanceof ApiProblem) || error.isRetryable),
    },
    mutations: { retry: false },
  },
})

/** The account and the screen's file usually arrive within this time; then one drawing shows everything and nothing moves. */
const FIRST_DRAWING_MS = 400

async function fetchFirst(): Promise<void> {
  const here = location.pathname.slice('/console'.length) || '/'
  await Promise.race([
    // What fails here is reported where it is drawn.
    Promise.allSettled([fetchAccount(queries), fetchScreen(here)]),
    new Promise((resolve) => setTimeout(resolve, FIRST_DRAWING_MS)),
  ])
}

function draw(): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <ToastProvider>
          <Console />
        </ToastProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

// Without a top-level await: the screens' files import this one and would wait for it.
void fetchFirst().then(draw)
