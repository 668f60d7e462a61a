import { type ApiRoute, type Operation, ROUTES } from '../../lambdas/core/contracts/routes';

/** The route of an operation, for requests that a test makes without API Gateway. */
export const routeOf = (operation: Operation): ApiRoute =>
  ROUTES.find((route) => route.operation === operation)!;
