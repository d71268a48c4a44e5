import type { Dispatcher } from 'undici';
import { pieceCheck } from '../http/body-pieces.ts';

/** Interim answers, such as 103 Early Hints, that may come before the final one. Servers send one or two. */
const mostInterim = 16;

/**
 * Gives a request up whose answer costs more to read than it is worth (T-14): interim answers without end (RFC 9110,
 * 15.2), each of them small enough for the bound on headers, and a body in chunks of a byte, each of which is an object
 * of its own. A megabyte a second of either takes most of the time of the thread that answers redirects.
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
