import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiProblem } from './api/client.ts'
import { Console } from './console.tsx'
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
