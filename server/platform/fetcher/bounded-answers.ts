import type { Dispatcher } from 'undici';
import { pieceCheck } from '../http/body-pieces.ts';

/** Interim responses, such as 103 Early Hints, that may precede the final one. Servers send one or two. */
const mostInterim = 16;

/**
 * Aborts a request whose response is too expensive to read (T-14): endless interim responses (RFC 9110, 15.2), each
 * below the header limit, and bodies in one-byte chunks, each of which is a separate object. A megabyte per second of
 * either uses most of the time of the redirect thread.
 */
export const boundedAnswers: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const isInTooManyPieces = pieceCheck();
  let interim = 0;
  return dispatch(options, {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart(controller, status, headers, statusText) {
      if (status < 200) interim += 1;
      if (interim > mostInterim) controller.abort(new Error('this server sends too many interim answers'));
      else handler.onResponseStart?.(controller, status, headers, statusText);
    },
    onResponseData(controller, piece) {
      if (isInTooManyPieces(piece)) controller.abort(new Error('this answer comes in too many small pieces'));
      else handler.onResponseData?.(controller, piece);
    },
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  });
};
