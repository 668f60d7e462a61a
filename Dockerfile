# The local run in a container, for development and tests. It is no deployment: see docs/containers.md.
FROM node:24-slim

WORKDIR /quarterjack
COPY package.json package-lock.json .npmrc ./
COPY cli/package.json cli/
RUN npm ci --ignore-scripts
COPY --chown=node:node . .
RUN mkdir -p .quarterjack dist && chown node:node . .quarterjack dist

USER node
EXPOSE 8787
HEALTHCHECK --interval=5s --timeout=3s --start-period=120s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/v1/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["npm", "start", "--", "--host", "0.0.0.0"]
