interface Tracing {
  stop(): Promise<void>
}

/** Sends traces to an OpenTelemetry collector when one is configured; without, nothing is loaded. */
export async function startTracing(endpoint: string | null): Promise<Tracing | null> {
  if (endpoint === null) return null
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({ url: new URL('/v1/traces', endpoint).href })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'nameplate' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  provider.register()
  return { stop: () => provider.shutdown() }
}
