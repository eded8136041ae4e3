import { defaultAllowedOrigins, defineConfig, loadEnv } from "vite";

// The service, as this machine reaches it. It answers its own pages alone, so the proxy sends its own name and origin;
// pages of other origins it must refuse itself then, on sockets too.
const service = loadEnv("", ".", "HIPPOGRAPH_URL").HIPPOGRAPH_URL ?? "http://127.0.0.1:8000";
const bypass = ({ headers }: { headers: { origin?: string } }) =>
  headers.origin && !defaultAllowedOrigins.test(headers.origin) ? false : undefined;
const proxy = {
  "/graphql": { target: service, changeOrigin: true, headers: { origin: service }, ws: true, bypass },
};

export default defineConfig({ server: { proxy }, preview: { proxy } });
